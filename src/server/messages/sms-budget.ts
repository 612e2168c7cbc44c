import type { Brand } from '../brand/catalog.ts';
import type { Database } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import type { LimitName } from '../limits/limit-metrics.ts';
import { countTries, giveBackTries, triesOf, type Window } from '../limits/throttle.ts';
import { canonicalNumber } from '../process/phone-number.ts';
import { refuse } from '../request/api-error.ts';
import { networksOf } from '../request/network.ts';
import { alertOperator } from './operator-alerts.ts';

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

/**
 * [Note: SMS budget] Whoever earns from messages to numbers of their own has codes sent to thousands of them. Each goes to
 * another account, so no limit of an account sees it. So codes by SMS have budgets by brand, by country and by requesting
 * network, for an hour and for a day. Brand and country count what is sent, so that requests for accounts that do not
 * exist use nothing up; the network counts requests, so that its budget does not tell which accounts exist. A device
 * that has signed in to the account before is not counted at its network.
 */
export interface SmsRequest {
  /** digits with the country code */
  readonly number: string;
  readonly ip: string;
  /** the device has signed in to this account before */
  readonly known: boolean;
}

function budgetsOf(env: Pick<Deps['env'], 'SMS_PER_DAY'>, { code, config }: Brand, number: string): Budget[] {
  const country = canonicalNumber(`+${number}`)?.areaCode ?? 'unknown';
  const isOwn = country === (config.login.areaCode ?? '').replaceAll(/\D/g, '');
  const day = env.SMS_PER_DAY;
  const ofCountry = isOwn ? day : Math.ceil(day * foreignShare);
  const both = (limit: LimitName, key: string, most: number): Budget[] => [
    { limit, key: `${key} hour`, windowMs: hourMs, most: Math.ceil(most * hourShare) },
    { limit, key: `${key} day`, windowMs: dayMs, most },
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

/** Counts the request for a code by SMS. Refuses with 4598 at the number where a budget is used up. */
export async function takeSmsRequest(deps: Deps, brand: Brand, { number, ip, known }: SmsRequest): Promise<void> {
  const now = deps.clock();
  const sent = budgetsOf(deps.env, brand, number);
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
  refuse(4598, { field: 'phone' });
}

/** Counts a code that is about to be sent by SMS; false where the budgets do not allow it. `tx` may be a transaction. */
export async function takeSms(
  tx: Database,
  brand: Brand,
  number: string,
  { clock, env, limitMetrics }: Pick<Deps, 'clock' | 'env' | 'limitMetrics'>,
): Promise<boolean> {
  const budgets = budgetsOf(env, brand, number);
  const counts = await countTries(tx, { take: budgets }, clock());
  const over = budgets.find(({ key, most }) => (counts.get(key)?.count ?? 0) >= most);
  if (!over) return true;
  // what is not sent uses up nothing of the longer budgets
  await giveBackTries(
    tx,
    budgets.map(({ key }) => key),
  );
  limitMetrics.refused(over.limit, brand.code);
  return false;
}
