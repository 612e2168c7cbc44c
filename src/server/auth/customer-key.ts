import type { Database } from '#server/db/connect.ts';
import type { Env } from '#server/env.ts';
import type { Identity } from '#server/site/account-rules.ts';
import { readDeviceToken } from './device-token.ts';
import { findUser, type UserRow } from './find-user.ts';

/**
 * [Note: One customer, two names] A number and an address that was bound to it open the same account, so guesses at both
 * are guesses at one customer. Two counts run beside each other: one by the name that was typed, which the answers tell
 * of, and one by the customer, which is never told: answers that changed for one name after tries at another would say
 * that both belong together, and that there is such a customer. What the second one bounds fails as a wrong code does.
 */
export interface LimitSubject {
  /** stands for the customer, or for the name where nobody has it; never shown */
  readonly customer: string;
  /** the device token's nonce, where the device has signed in to this account before */
  readonly known: string | undefined;
}

/** One query, whoever has the name. */
export async function findLimitSubject(
  { db, env }: { db: Database; env: Env },
  {
    brand,
    identity,
    device,
  }: { brand: string; identity: Pick<Identity, 'account' | 'type'>; device?: string | undefined },
): Promise<LimitSubject> {
  return limitSubjectOf(env, await findUser(db, brand, identity), { brand, account: identity.account, device });
}

/** The same of a customer who has been looked for already. */
export function limitSubjectOf(
  env: Env,
  user: Pick<UserRow, 'uid' | 'account' | 'evictions'> | undefined,
  { brand, account, device }: { brand: string; account: string; device?: string | undefined },
): LimitSubject {
  // a device is known to the account, by whichever of its names somebody signs in
  const token = readDeviceToken(env, { brand, account: user?.account ?? account }, device);
  const known = token !== undefined && token.evictions === user?.evictions ? token.nonce : undefined;
  return { customer: customerKey(user, account), known };
}

/** What the customer's hidden counts go by. */
export const customerKey = (user: Pick<UserRow, 'uid'> | undefined, account: string) =>
  user ? `uid ${user.uid}` : account;
