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
/** Refused notices of one network; a provider whose notices are refused sends them again later. */
const ofNetwork = { tries: 60, windowMs };
/** Refused notices of all networks, each of which has cost a call to the provider. */
const ofGateway = { tries: 600, windowMs };
const dayMs = 24 * 60 * 60_000;
/** How long a network that sent a genuine notice is exempt from the limit of all networks. */
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

/** Whether the sender's network has used up its refusals. Counts nothing. */
export function hasTooManyRefusals({ db, clock }: LimitDeps, sender: NoticeSender): Promise<boolean> {
  return isOverLimitFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

interface CountedNotice {
  /** the provider's own: takes back what was counted */
  accept(): Promise<void>;
}

/** Counts a notice that was verified here and refused: a provider's own ones come in crowds, and cost nothing before that. */
export async function countRefusal({ db, clock }: LimitDeps, sender: NoticeSender): Promise<void> {
  await countTryFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

/**
 * Counts a notice that is verified by a call as refused before the call, so that those which arrive together are all counted.
 * Undefined where the network, or all networks, have had too many.
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
