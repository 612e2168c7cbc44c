import {
  uncountTry,
  uncountTryFrom,
  isOverLimitFrom,
  startWindow,
  countTry,
  countTryFrom,
  triesOf,
} from '#server/runtime/limits/throttle.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';

const windowMs = 10 * 60_000;
/** Refused notices of one network. A provider sends refused notices again later. */
const ofNetwork = { tries: 60, windowMs };
/** Refused notices of all networks; each of them costs a call to the provider. */
const ofGateway = { tries: 600, windowMs };
const dayMs = 24 * 60 * 60_000;
/** How long a network that sent a genuine notice is exempt from the limit for all networks. */
const exemptMs = 7 * dayMs;

type LimitDeps = Pick<Deps, 'db' | 'clock'>;

export interface NoticeSender {
  readonly gateway: string;
  readonly ip: string;
  /** whether each notice costs a call to the provider */
  readonly isVerifiedByCall: boolean;
}

const networkKey = ({ gateway }: NoticeSender) => `refused notices ${gateway}`;
const gatewayKey = ({ gateway }: NoticeSender) => `all refused notices ${gateway}`;
const knownKey = ({ gateway, ip }: NoticeSender) => `accepted notice ${gateway} ${networksOf(ip).near}`;

/** Whether the sender's network has used up its limit of refusals. Counts nothing. */
export function hasTooManyRefusals({ db, clock }: LimitDeps, sender: NoticeSender): Promise<boolean> {
  return isOverLimitFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

interface CountedNotice {
  /** the notice is genuine: removes it from the counts */
  accept(): Promise<void>;
}

/**
 * Counts a notice that was verified without a call and refused. It is counted only then, because a provider's genuine
 * notices come in large numbers and cost nothing.
 */
export async function countRefusal({ db, clock }: LimitDeps, sender: NoticeSender): Promise<void> {
  await countTryFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

/**
 * Counts a notice as refused before the call that verifies it, so that notices that arrive together are all counted.
 * Undefined when the network, or all networks, are over their limit.
 */
export async function countNotice({ db, clock }: LimitDeps, sender: NoticeSender): Promise<CountedNotice | undefined> {
  const now = clock();
  const own = await countTryFrom(db, networkKey(sender), sender.ip, ofNetwork, now);
  if (!own.allowed) return undefined;
  const key = knownKey(sender);
  const exemptUntil = (await triesOf(db, [key], now)).get(key)?.resetsAt;
  if (exemptUntil === undefined && !(await countTry(db, gatewayKey(sender), ofGateway, now)).allowed) return undefined;
  return {
    accept: async () => {
      await uncountTryFrom(db, networkKey(sender), sender.ip);
      if (exemptUntil === undefined) await uncountTry(db, gatewayKey(sender));
      // once a day, because providers send many notices from one network
      if ((exemptUntil ?? 0) < now + exemptMs - dayMs) await startWindow(db, { key, windowMs: exemptMs }, now);
    },
  };
}
