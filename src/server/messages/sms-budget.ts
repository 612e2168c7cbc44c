import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import type { LimitName } from '#server/runtime/limits/limit-metrics.ts';
import { countTries, uncountTries, triesOf, type Window } from '#server/runtime/limits/throttle.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { destinationOf, destinationOfCode } from '#server/runtime/phone-readings.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import { alertOperator } from './operator-alerts.ts';
import { freshMessage } from './outbox.ts';
import type { TextMessage } from './sms.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

interface Budget extends Window {
  readonly limit: LimitName;
  /** messages in the window */
  readonly most: number;
}

/** Codes by SMS that one network can request; many customers of a carrier share an IPv4 address. */
const fromNetwork = { hour: 60, day: 200 };
/** A /48 is shared by several customers of one provider. */
const wider = 10;
/** A country that is not the brand's own has this share of its budget. */
const foreignShare = 0.1;
/** An hour has this share of a day: one evening may bring half of the customers. */
const hourShare = 0.25;
/** Numbers that no customer has proved have this share, so that requests for them leave customers their codes. */
const unprovedShare = 0.5;
/** Messages to one number in a day that are no codes, whatever its owner does. */
const noticesADay = 10;

/**
 * [Note: SMS budget] Whoever earns from messages to numbers of their own has codes sent to thousands of them. Each goes to
 * another account, so no limit of an account sees it. So every SMS counts in the budgets of its brand and country, and codes
 * in that of the requesting network, for an hour and for a day. Brand and country count what is sent, so that requests for
 * accounts that do not exist use nothing up; the network counts requests, so that its budget does not tell which accounts
 * exist. A device that has signed in to the account before is not counted at its network.
 */
export interface SmsRequest {
  /** digits with the country code */
  readonly number: string;
  readonly ip: string;
  /** the device has signed in to this account before */
  readonly known: boolean;
  /** it is sent to accounts only; whether this one exists is not looked at */
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

/** Counts the request for a code by SMS. Refuses with `operationUnsupported` at the number where a budget is used up. */
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
  deps.limitMetrics.refused(over.limit, brand.code);
  await alertOperator(deps, brand, 'sms_pumping');
  refuse('operationUnsupported', { field: 'phone' });
}

export type SmsDeps = Pick<Deps, 'clock' | 'random' | 'env' | 'limitMetrics' | 'log'>;

export interface QueuedSms extends TextMessage {
  readonly brand: Brand;
  /** a customer has proved that the number is theirs */
  readonly isProved: boolean;
  /** how long it is worth sending, in milliseconds; as long as a code where it is not told */
  readonly lifetimeMs?: number;
  /** its reader waits for it now, such as for a code: it is sent before the others */
  readonly asked?: boolean;
  /** a charge must not happen without it: it counts, and is sent whatever the budgets say */
  readonly isRequired?: boolean;
}

/**
 * Writes an SMS to be sent, unless the budgets are used up ([Note: SMS budget]); `to` is digits with the country code, in any
 * spelling that an account may be stored under.
 */
export async function queueSms(
  db: Database,
  { brand, to, text, isProved, lifetimeMs, asked = false, isRequired = false }: QueuedSms,
  deps: SmsDeps,
): Promise<void> {
  const recipient = canonicalNumber(`+${to}`)?.digits ?? to;
  const isAllowed = await takeSms(db, { brand, number: recipient, isProved, isCode: asked, isRequired }, deps);
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
  /** a customer has proved that the number is theirs */
  readonly isProved: boolean;
  readonly isCode: boolean;
  readonly isRequired: boolean;
}

/**
 * Counts an SMS that is about to be sent; false where a budget does not allow it. The operator is alerted of those of the brand.
 * `tx` is the transaction that it is written in.
 */
async function takeSms(
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
  // what is not sent uses up nothing of the longer budgets
  await uncountTries(
    tx,
    budgets.map(({ key }) => key),
  );
  deps.limitMetrics.refused(over.limit, brand.code);
  // the notices of one customer are no attack, and would use up the alert of the day
  if (over !== own) await alertOperator({ ...deps, db: tx }, brand, 'sms_pumping');
  return false;
}
