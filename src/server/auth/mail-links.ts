import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { mailLinks, type ContactBefore } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';

export type MailLink = typeof mailLinks.$inferSelect;
type Purpose = MailLink['purpose'];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const tokenBytes = 32;

const links: Record<Purpose, { readonly path: string; readonly lifetimeMs: number }> = {
  confirm: { path: '/activate', lifetimeMs: dayMs },
  reset: { path: '/resetPassword', lifetimeMs: 30 * minuteMs },
  bind: { path: '/bindEmailConfirmed', lifetimeMs: dayMs },
  // from a month before the charge of a year to the end of its grace; works as often as it is opened
  renewal: { path: '/renewal', lifetimeMs: 45 * dayMs },
  restore: { path: '/restoreEmail', lifetimeMs: 7 * dayMs },
};

export interface NewMailLink {
  readonly brand: Pick<Brand, 'code' | 'origin'>;
  readonly uid: string;
  readonly purpose: Purpose;
  /** the address that the mail goes to; of `renewal` a number where there is no address */
  readonly email: string;
  /** of the page that the link opens */
  readonly language: Language;
  /** where it is another than usual; milliseconds */
  readonly lifetimeMs?: number;
  /** of `restore`: what it puts back */
  readonly before?: ContactBefore;
}

/**
 * Makes a link that works once ([Note: Mail links] in the contract) and ends the customer's earlier ones of the same
 * purpose. Good for 30 minutes (reset), 24 hours (confirm, bind), a week (restore) or 45 days (renewal), unless told otherwise. Its address is the brand's stored origin, never a
 * request's host, which a stranger could choose. The answer is the only place where the token exists: `tx` is the
 * transaction that also writes the mail.
 */
export async function makeMailLink(
  tx: Database,
  { brand, uid, purpose, email, language, lifetimeMs, before }: NewMailLink,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<string> {
  const now = clock();
  const token = random.token(tokenBytes);
  const { path, lifetimeMs: usualMs } = links[purpose];
  // a thief who changes the address once more must not end the link of the first one
  if (purpose !== 'restore') await endMailLinks(tx, { brand: brand.code, uid, purposes: [purpose] }, now);
  await tx.insert(mailLinks).values({
    tokenHash: hashOf(token),
    brand: brand.code,
    uid,
    purpose,
    email,
    before: before ?? null,
    createdAt: now,
    expiresAt: now + (lifetimeMs ?? usualMs),
  });
  return `${brand.origin}${path}?token=${token}&language=${language}`;
}

/** Ends a customer's links of these purposes that are still out. `now` is epoch milliseconds. */
export async function endMailLinks(
  tx: Database,
  { brand, uid, purposes }: { brand: string; uid: string; purposes: Purpose[] },
  now: number,
): Promise<void> {
  await tx
    .update(mailLinks)
    .set({ expiresAt: now })
    .where(
      and(
        eq(mailLinks.brand, brand),
        eq(mailLinks.uid, uid),
        inArray(mailLinks.purpose, purposes),
        isNull(mailLinks.usedAt),
        gt(mailLinks.expiresAt, now),
      ),
    );
}

export interface GivenMailToken {
  /** code of the brand that was asked */
  readonly brand: string;
  readonly token: string;
  readonly purpose: Purpose;
}

/** The link of a token, unspent and in time, at this brand and for this purpose; it stays as it is. */
export async function findMailLink(db: Database, given: GivenMailToken, now: number): Promise<MailLink | undefined> {
  const [link] = await db
    .select()
    .from(mailLinks)
    .where(and(theLink(given, now), isNull(mailLinks.usedAt)));
  return link;
}

/** Spends a link; undefined when it is spent already, too old, another brand's, or none. One statement. */
export async function consumeMailLink(tx: Database, given: GivenMailToken, now: number): Promise<MailLink | undefined> {
  const [link] = await tx
    .update(mailLinks)
    .set({ usedAt: now })
    .where(and(theLink(given, now), isNull(mailLinks.usedAt)))
    .returning();
  return link;
}

/**
 * A link that was spent and would still be in time: who sends it again has perhaps not heard that it worked. It opens
 * nothing; it tells whose it was.
 */
export async function findUsedLink(db: Database, given: GivenMailToken, now: number): Promise<MailLink | undefined> {
  const [link] = await db.select().from(mailLinks).where(theLink(given, now));
  return link?.usedAt === null ? undefined : link;
}

const theLink = ({ brand, token, purpose }: GivenMailToken, now: number) =>
  and(
    eq(mailLinks.tokenHash, hashOf(token)),
    eq(mailLinks.brand, brand),
    eq(mailLinks.purpose, purpose),
    gt(mailLinks.expiresAt, now),
  );

/** The token has 256 bits, so its hash needs no salt: nobody finds it by trying. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
