import * as v from 'valibot';
import { sendProviderRequest, type SendRequest } from '#server/payments/send-provider-request.ts';
import type { ProviderCheck } from '#server/payments/terms.ts';
import type { Logger } from '#server/runtime/log.ts';

/** An account at Twilio, and how to reach it. */
interface TwilioAccount {
  /** scheme and host */
  readonly base: string;
  readonly sid: string;
  readonly authToken: string;
  /** a number, a name, or the SID of a messaging service */
  readonly from: string;
  readonly send: SendRequest;
  readonly clock: () => number;
}

/**
 * The parts of Twilio's responses that this shop reads (Messages and Accounts of the API of 2010-04-01;
 * `twilio_api_v2010.json` in github.com/twilio/twilio-oai).
 */
const messageSchema = v.object({ sid: v.pipe(v.string(), v.regex(/^(SM|MM)[0-9a-fA-F]{32}$/)) });
const listSchema = v.object({
  messages: v.array(
    v.object({
      to: v.nullish(v.string()),
      body: v.nullish(v.string()),
      status: v.string(),
      date_created: v.nullish(v.string()),
    }),
  ),
});
const refusalSchema = v.object({ code: v.pipe(v.number(), v.safeInteger()) });
const accountSchema = v.object({ status: v.string() });

/** Twilio drops a message that is not delivered within this time, in seconds: a code is valid for ten minutes. */
const validitySeconds = 600;
/** How far back a message is searched for, in milliseconds: longer than the outbox retries one. */
const searchBackMs = 30 * 60_000;

/**
 * Numbers that no retry will reach: not a number, not a mobile number, a country that the account may not send to, a
 * person who has opted out at Twilio (twilio.com/docs/api/errors).
 */
const refusedForGood = new Set([21211, 21214, 21217, 21408, 21421, 21610, 21612, 21614, 21635]);

/**
 * Sends through Twilio. Its API has no idempotency key, so before a retry the message is searched for by number and
 * text; it is sent twice only if Twilio records it after the search.
 */
export function twilioSms(account: TwilioAccount): Sms {
  return {
    send: async (message, { isAgain }) => {
      if (isAgain && (await wasAccepted(account, message))) return;
      const answer = await sendProviderRequest(account.send, creation(account, message), v.unknown());
      if (answer?.status === 201 && v.is(messageSchema, answer.body)) return;
      const refusal = v.safeParse(refusalSchema, answer?.body);
      const code = refusal.success ? refusal.output.code : undefined;
      if (code !== undefined && refusedForGood.has(code))
        throw new MessageRefused(`Twilio refused an SMS with ${code}`);
      throw new Error(`Twilio did not accept an SMS: ${code ?? answer?.status ?? 'no answer'}`);
    },
    check: () => check(account),
  };
}

function requestTo({ base, sid, authToken }: TwilioAccount, path: string, form?: Record<string, string>): Request {
  const basic = Buffer.from(`${sid}:${authToken}`).toString('base64');
  return new Request(`${base}/2010-04-01/Accounts/${sid}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
    ...(form && { body: new URLSearchParams(form) }),
  });
}

function creation(account: TwilioAccount, { to, text }: TextMessage): Request {
  const { from } = account;
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  return requestTo(account, '/Messages.json', {
    To: `+${to}`,
    ...sender,
    Body: text,
    ValidityPeriod: String(validitySeconds),
  });
}

const notSent = new Set(['failed', 'canceled']);

/** Whether Twilio has recently accepted this text to this number. Rejects where Twilio does not respond. */
async function wasAccepted(account: TwilioAccount, { to, text }: TextMessage): Promise<boolean> {
  const query = new URLSearchParams({ To: `+${to}`, PageSize: '20' });
  const answer = await sendProviderRequest(
    account.send,
    requestTo(account, `/Messages.json?${query.toString()}`),
    listSchema,
  );
  if (answer?.status !== 200) throw new Error('Twilio did not report whether it accepted the SMS before');
  const since = account.clock() - searchBackMs;
  return answer.body.messages.some(
    ({ body, status, date_created: at }) => body === text && !notSent.has(status) && Date.parse(at ?? '') >= since,
  );
}

async function check(account: TwilioAccount): Promise<ProviderCheck> {
  const answer = await sendProviderRequest(account.send, requestTo(account, '.json'), v.unknown());
  if (!answer) return { isReachable: false, says: `no Twilio API answers at ${account.base}` };
  const known = v.safeParse(accountSchema, answer.body);
  if (answer.status !== 200 || !known.success)
    return { isReachable: false, says: 'Twilio rejects TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN' };
  if (known.output.status !== 'active') return { isReachable: false, says: 'the account at Twilio is not active' };
  return { isReachable: true, says: `Twilio knows the account, which sends as ${account.from}` };
}

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
