import type { ProviderCheck } from '#server/payments/gateway.ts';
import type { Logger } from '#server/runtime/log.ts';

/** A text message as it leaves. */
export interface TextMessage {
  /** digits of the number with its country code, without a plus */
  readonly to: string;
  readonly text: string;
}

/** A message that nobody will ever take, however often it is tried. Its text names no person. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * The way out for SMS. Rejects when the message was not accepted; the outbox then tries again later. An installation that
 * can send none has none (`Deps.sms` is null), and then nobody is offered what needs one: a sign-up by number, a code by
 * SMS.
 */
export interface Sms {
  /** `id` is the same in every try; `isAgain` where one went before, whose answer may have been lost. */
  send(message: TextMessage, facts: { readonly id: string; readonly isAgain: boolean }): Promise<void>;
  /** whether the provider takes this shop's credentials, by a harmless read; for `operator -- doctor` */
  check?(): Promise<ProviderCheck>;
}

/**
 * Stands in for an SMS provider where the sandbox is on: the message stays in the outbox, where `/dev/outbox` shows it, and the log
 * says that there was one. Never its text, because a code in a log would open an account.
 */
export function logSms(log: Pick<Logger, 'info'>): Sms {
  return {
    send: async ({ to, text }) => {
      log.info({ to: `…${to.slice(-2)}`, characters: text.length }, 'an SMS was written');
    },
  };
}
