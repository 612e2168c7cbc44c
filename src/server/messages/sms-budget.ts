import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import type { LimitName } from '#server/runtime/metrics.ts';
import { countTries, uncountTries, triesOf, type CounterWindow } from '#server/runtime/limits/throttle.ts';
import { canonicalNumber, destinationOf, destinationOfCode } from '#server/runtime/phone-number.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import { alertOperator } from './operator-alerts.ts';
import { freshMessage } from './message-requests.ts';
import { type TextMessage, type Sms, MessageRefused } from './sms.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import { signNotice } from '#server/payments/notice-signature.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

interface Budget extends CounterWindow {
  readonly limit: LimitName;
  /** number of messages in the window */
  readonly most: number;
}

/** Codes by SMS that one network can request; many customers of a carrier share an IPv4 address. */
const fromNetwork = { hour: 60, day: 200 };
/** The factor for a /48, which several customers of one provider share. */
const wider = 10;
/** Each country other than the brand's own has this share of its budget. */
const foreignShare = 0.1;
/** An hour has this share of a day's budget: one evening may bring half of the customers. */
const hourShare = 0.25;
/** Unverified numbers have this share, so that requests for them leave enough for verified customers. */
const unprovedShare = 0.5;
/** Messages to one number per day that are not codes, whatever its owner does. */
const noticesADay = 10;

/**
 * SMS pumping: attackers who earn from messages to their own numbers request codes for thousands of accounts, so limits
 * per account do not stop it. Every SMS therefore counts in budgets of its brand and country, codes also in that of the
 * requesting network, per hour and per day. Brand and country count messages sent, so that requests for missing
 * accounts use nothing up; the network counts requests, so that its budget does not reveal which accounts exist. Known
 * devices of the account are not counted for their network.
 */
interface SmsRequest {
  /** digits with the country code */
  readonly number: string;
  readonly ip: string;
  /** the device has signed in to this account before */
  readonly known: boolean;
  /** only sent to existing accounts; whether this one exists is not checked here */
  readonly toAccount: boolean;
}

function budgetsOf(
  env: Pick<Deps['env'], 'SMS_PER_DAY'>,
  { code, config }: Brand,
  { number, isProved }: { readonly number: string; readonly isProved: boolean },
): Budget[] {
  const country = destinationOf(number);
  const isOwn = country === destinationOfCode(config.login.areaCode ?? '');
  const day = env.SMS_PER_DAY;
  const ofCountry = isOwn ? day : Math.ceil(day * foreignShare);
  const share = isProved ? 1 : unprovedShare;
  const both = (limit: LimitName, key: string, most: number): Budget[] => [
    { limit, key: `${key} hour`, windowMs: hourMs, most: Math.ceil(most * share * hourShare) },
    { limit, key: `${key} day`, windowMs: dayMs, most: Math.ceil(most * share) },
  ];
  return [
    ...both('sms_brand', `sms of ${code}`, day),
    ...both('sms_country', `sms of ${code} to ${country}`, ofCountry),
  ];
}

function budgetsFrom({ code }: Brand, ip: string): Budget[] {
  const { near, wide } = networksOf(ip);
  const of = (network: string, times: number): Budget[] => [
    {
      limit: 'sms_network',
      key: `sms of ${code} from ${network} hour`,
      windowMs: hourMs,
      most: fromNetwork.hour * times,
    },
    { limit: 'sms_network', key: `sms of ${code} from ${network} day`, windowMs: dayMs, most: fromNetwork.day * times },
  ];
  return wide === undefined ? of(near, 1) : [...of(near, 1), ...of(wide, wider)];
}

/**
 * Counts a request for a code by SMS. Refuses with `operationUnsupported` at the field `phone` when a budget is used
 * up.
 */
export async function countSmsRequest(
  refuse: Refuse<'operationUnsupported'>,
  deps: Deps,
  brand: Brand,
  { number, ip, known, toAccount }: SmsRequest,
): Promise<void> {
  const now = deps.clock();
  const sent = budgetsOf(deps.env, brand, { number, isProved: toAccount });
  const requested = known ? [] : budgetsFrom(brand, ip);
  const counts = new Map([
    ...(await triesOf(
      deps.db,
      sent.map(({ key }) => key),
      now,
    )),
    ...(requested.length === 0 ? [] : await countTries(deps.db, { take: requested }, now)),
  ]);
  const over = [...sent, ...requested].find(({ key, most }) => (counts.get(key)?.count ?? 0) >= most);
  if (!over) return;
  deps.metrics.refused(over.limit, brand.code);
  await alertOperator(deps, brand, { kind: 'sms_pumping' });
  refuse('operationUnsupported', { field: 'phone' });
}

export type SmsDeps = Pick<Deps, 'clock' | 'random' | 'env' | 'metrics' | 'log'>;

interface QueuedSms extends TextMessage {
  readonly brand: Brand;
  /** a customer has verified the number */
  readonly isProved: boolean;
  /** how long it is useful, in milliseconds; by default as long as a code is valid */
  readonly lifetimeMs?: number;
  /** its reader waits for it, such as for a code: it is sent before others */
  readonly asked?: boolean;
  /** required before a charge: it is counted, and sent even if a budget is used up */
  readonly isRequired?: boolean;
}

/**
 * Queues an SMS unless a budget is used up; `to` is digits with the country code, in any spelling under which an
 * account may be stored.
 */
export async function queueSms(
  db: Database,
  { brand, to, text, isProved, lifetimeMs, asked = false, isRequired = false }: QueuedSms,
  deps: SmsDeps,
): Promise<void> {
  const recipient = canonicalNumber(`+${to}`)?.digits ?? to;
  const isAllowed = await countSms(db, { brand, number: recipient, isProved, isCode: asked, isRequired }, deps);
  if (!isAllowed) return;
  const row = { brand: brand.code, channel: 'sms', recipient, subject: '', text, html: '', asked } as const;
  const made = freshMessage(deps);
  const expiresAt = lifetimeMs === undefined ? null : made.createdAt + lifetimeMs;
  await db.insert(outbox).values({ ...made, ...row, expiresAt });
}

interface CountedSms {
  readonly brand: Brand;
  /** digits with the country code */
  readonly number: string;
  /** a customer has verified the number */
  readonly isProved: boolean;
  readonly isCode: boolean;
  readonly isRequired: boolean;
}

/**
 * Counts an SMS before it is queued; false where a budget is used up. The operator is alerted about budgets of the
 * brand. `tx` is the transaction that queues it.
 */
async function countSms(
  tx: Database,
  { brand, number, isProved, isCode, isRequired }: CountedSms,
  deps: SmsDeps,
): Promise<boolean> {
  const own: Budget = {
    limit: 'sms_number',
    key: `sms notices of ${brand.code} to ${number}`,
    windowMs: dayMs,
    most: noticesADay,
  };
  const budgets = [...budgetsOf(deps.env, brand, { number, isProved }), ...(isCode ? [] : [own])];
  const counts = await countTries(tx, { take: budgets }, deps.clock());
  const over = budgets.find(({ key, most }) => (counts.get(key)?.count ?? 0) >= most);
  if (!over || isRequired) return true;
  // a message that is not sent must not use up the longer budgets
  await uncountTries(
    tx,
    budgets.map(({ key }) => key),
  );
  deps.metrics.refused(over.limit, brand.code);
  // the notices of one customer are no attack, and would use up the day's alert
  if (over !== own) await alertOperator({ ...deps, db: tx }, brand, { kind: 'sms_pumping' });
  return false;
}

interface SmsWebhook {
  readonly url: string;
  readonly secret: string;
  readonly send: SendRequest;
  /** epoch milliseconds */
  readonly clock: () => number;
}

export const smsTimestampHeader = 'x-marquee-timestamp';
export const smsSignatureHeader = 'x-marquee-signature';

const patienceMs = 20_000;
/** "Can never be sent": not retried. */
const refusedForGood = new Set([400, 410, 422]);

/**
 * Sends through any provider without an adapter: `POST` of JSON `{ id, to, text }`, with `to` in E.164 including the
 * plus. `x-marquee-timestamp` is epoch milliseconds, `x-marquee-signature` the HMAC-SHA256 of `<timestamp>.<body>` with
 * the shared secret, in hex; receivers refuse what is older than five minutes. They respond with 2xx once they have
 * accepted the message, also for a repeated `id`: after a lost response the message is sent again with its id, and only
 * that prevents a duplicate. 400, 410 and 422 mean that it can never be sent; after any other status it is retried for
 * 15 minutes.
 */
export function smsWebhook({ url, secret, send, clock }: SmsWebhook): Sms {
  return {
    send: async ({ to, text }, { id }) => {
      const body = JSON.stringify({ id, to: `+${to}`, text });
      const timestamp = clock();
      const request = new Request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [smsTimestampHeader]: String(timestamp),
          [smsSignatureHeader]: signNotice(secret, timestamp, body),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      const { status } = await send(request).catch(() => ({ status: 0 }));
      if (refusedForGood.has(status)) throw new MessageRefused(`the SMS webhook refused a message with ${status}`);
      if (status < 200 || status > 299)
        throw new Error(`the SMS webhook did not accept a message: ${status || 'no answer'}`);
    },
  };
}
