import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/settings.ts';
import { maskAccount } from '#contract/mask.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { getsOffers, users } from '#server/db/schema/users.ts';
import { refuseToken } from '#server/auth/refuse-token.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Handler } from '#server/runtime/request/bind.ts';

interface CustomerKey {
  /** code of the brand */
  readonly brand: string;
  readonly uid: string;
}

/** Length of a signature in characters; a token is longer. */
const signatureLength = 43;

/**
 * Makes the token of the unsubscribe link in marketing emails, which also have headers for one-click unsubscribe (RFC
 * 8058). It identifies the customer, is signed and can only turn offers on and off, so it never expires and is not
 * stored: a link of last year still works.
 */
export function offersToken(env: Pick<Env, 'SIGNING_SECRET'>, who: CustomerKey): string {
  return `${who.uid}${signature(env, who).toString('base64url')}`;
}

/** The URL of the confirmation page; a POST by a mail program unsubscribes at once. */
export function offersUrl(
  env: Pick<Env, 'SIGNING_SECRET'>,
  { code, origin }: Pick<Brand, 'code' | 'origin'>,
  uid: string,
) {
  return `${origin}/unsubscribe?token=${offersToken(env, { brand: code, uid })}`;
}

/** The customer of a token; undefined if the signature is invalid. */
export function readOffersToken(
  env: Pick<Env, 'SIGNING_SECRET'>,
  brand: string,
  token: string,
): CustomerKey | undefined {
  const who = { brand, uid: token.slice(0, -signatureLength) };
  const given = Buffer.from(token.slice(-signatureLength), 'base64url');
  const expected = signature(env, who);
  return given.length === expected.length && timingSafeEqual(given, expected) ? who : undefined;
}

function signature(env: Pick<Env, 'SIGNING_SECRET'>, { brand, uid }: CustomerKey): Buffer {
  return createHmac('sha256', derivedKey(env, 'offers'))
    .update(JSON.stringify([brand, uid]))
    .digest();
}

/** Turns offers on or off. Returns the customer's address, or undefined for an unknown customer. */
export async function setOffers(
  db: Database,
  { brand, uid }: CustomerKey,
  subscribe: boolean,
): Promise<string | undefined> {
  const [user] = await db
    .update(users)
    .set({ unsubscribeEmail: !subscribe })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)))
    .returning({ email: users.email, account: users.account });
  return user && (user.email ?? user.account);
}

export async function wantsOffers(db: Database, { brand, uid }: CustomerKey): Promise<boolean> {
  const rows = await db
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.uid, uid), getsOffers(users)));
  return rows.length > 0;
}

export const offersByLink: Handler<typeof contract.offersByLink> = async ({ body }, context) => {
  const { deps, brand } = context;
  const who = readOffersToken(deps.env, brand.code, body.token);
  if (!who) return refuseToken(context);
  if (body.subscribe && !brand.config.subscribeEmail) return context.refuse('operationUnsupported');
  const email = await setOffers(deps.db, who, body.subscribe);
  return email === undefined ? refuseToken(context) : { unsubscribeEmail: !body.subscribe, email: maskAccount(email) };
};
