import type { ProviderCheck } from '#server/payments/gateway.ts';
import type { Logger } from '#server/runtime/log.ts';

/** A text message as it is sent. */
export interface TextMessage {
  /** digits of the number with its country code, without a plus */
  readonly to: string;
  readonly text: string;
}

/** A message that can never be delivered, however often it is retried. Its text must not contain personal data. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * Sends SMS. Rejects when the message was not accepted; the outbox then retries. `Deps.sms` is null in an installation
 * without a provider, and then sign-up by number and codes by SMS are not offered.
 */
export interface Sms {
  /** `id` is the same in every attempt; `isAgain` means that the response to an earlier attempt may have been lost. */
  send(message: TextMessage, facts: { readonly id: string; readonly isAgain: boolean }): Promise<void>;
  /** whether the provider accepts this shop's credentials, by a read-only request; for `operator -- doctor` */
  check?(): Promise<ProviderCheck>;
}

/**
 * Replaces the SMS provider in the sandbox: the message stays in the outbox, where `/dev/outbox` shows it, and the log
 * mentions it without its text, because a code in a log would give access to an account.
 */
export function logSms(log: Pick<Logger, 'info'>): Sms {
  return {
    send: async ({ to, text }) => {
      log.info({ to: `…${to.slice(-2)}`, characters: text.length }, 'an SMS was written');
    },
  };
}
