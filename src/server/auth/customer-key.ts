import type { Database } from '#server/db/connect.ts';
import type { Env } from '#server/env.ts';
import type { Identity } from '#server/site/account-rules.ts';
import { readDeviceToken } from './device-token.ts';
import { findUser, type UserRow } from './find-user.ts';

/**
 * The subject of the limits for guessing. A phone number and an email address may open the same account, so guesses at
 * both are counted for one customer. Two counts exist: one by the typed name, which answers report, and one by
 * customer, which is never reported, because a count that changes for one name after attempts at another would reveal
 * that both belong together. Attempts over the second limit fail like a wrong code.
 */
export interface LimitSubject {
  /** identifies the customer, or the name if no account has it; never shown */
  readonly customer: string;
  /** the device token's nonce, if the device has logged in to this account before */
  readonly known: string | undefined;
}

/** One query, whether the account exists or not. */
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

/** The same for a customer that has been read already. */
export function limitSubjectOf(
  env: Env,
  user: Pick<UserRow, 'uid' | 'account' | 'evictions'> | undefined,
  { brand, account, device }: { brand: string; account: string; device?: string | undefined },
): LimitSubject {
  // a device is known to the account, whichever of its names is used to log in
  const token = readDeviceToken(env, { brand, account: user?.account ?? account }, device);
  const known = token !== undefined && token.evictions === user?.evictions ? token.nonce : undefined;
  return { customer: customerKey(user, account), known };
}

/** The key of the hidden counts of a customer. */
export const customerKey = (user: Pick<UserRow, 'uid'> | undefined, account: string) =>
  user ? `uid ${user.uid}` : account;
