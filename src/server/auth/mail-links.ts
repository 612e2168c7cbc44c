import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { mailLinks, type PreviousContact } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';

export type MailLink = typeof mailLinks.$inferSelect;
type Purpose = MailLink['purpose'];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const tokenBytes = 32;

const links: Record<Purpose, { readonly path: string; readonly lifetimeMs: number }> = {
  confirm: { path: '/activate', lifetimeMs: dayMs },
  reset: { path: '/resetPassword', lifetimeMs: 30 * minuteMs },
  bind: { path: '/bindEmailConfirmed', lifetimeMs: dayMs },
  // from a month before the yearly charge to the end of its grace; may be opened repeatedly
  renewal: { path: '/renewal', lifetimeMs: 45 * dayMs },
  restore: { path: '/restoreEmail', lifetimeMs: 7 * dayMs },
};

interface NewMailLink {
  readonly brand: Pick<Brand, 'code' | 'origin'>;
  readonly uid: string;
  readonly purpose: Purpose;
  /** the recipient's address; for `renewal` a phone number if there is no address */
  readonly email: string;
  /** language of the page that the link opens */
  readonly language: Language;
  /** overrides the usual lifetime; milliseconds */
  readonly lifetimeMs?: number;
  /** for `restore`: the contact to restore */
  readonly before?: PreviousContact;
}

/**
 * Creates a link that works once and ends the customer's earlier ones of the same purpose. It is valid for 30 minutes
 * (reset), 24 hours (confirm, bind), a week (restore) or 45 days (renewal), unless `lifetimeMs` is set. Its URL uses
 * the brand's stored origin, never the request's host, which an attacker could choose. Only the return value contains
 * the token; `tx` is the transaction that also queues the email.
 */
export async function makeMailLink(
  tx: Database,
  { brand, uid, purpose, email, language, lifetimeMs, before }: NewMailLink,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<string> {
  const now = clock();
  const token = random.token(tokenBytes);
  const { path, lifetimeMs: usualMs } = links[purpose];
  // an attacker who changes the address again must not end the link that restores the first one
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

/** Ends a customer's unused links of these purposes. `now` is epoch milliseconds. */
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

export interface MailTokenInput {
  /** code of the request's brand */
  readonly brand: string;
  readonly token: string;
  readonly purpose: Purpose;
}

/** The unused, unexpired link of a token at this brand and for this purpose; it is not consumed. */
export async function findMailLink(db: Database, given: MailTokenInput, now: number): Promise<MailLink | undefined> {
  const [link] = await db
    .select()
    .from(mailLinks)
    .where(and(isLink(given, now), isNull(mailLinks.usedAt)));
  return link;
}

/** Consumes a link in one statement; undefined if it is used, expired, unknown or of another brand. */
export async function consumeMailLink(tx: Database, given: MailTokenInput, now: number): Promise<MailLink | undefined> {
  const [link] = await tx
    .update(mailLinks)
    .set({ usedAt: now })
    .where(and(isLink(given, now), isNull(mailLinks.usedAt)))
    .returning();
  return link;
}

/**
 * A used link that has not expired: the customer may send it again if the first answer was lost. It authorizes nothing
 * and only identifies its customer.
 */
export async function findUsedLink(db: Database, given: MailTokenInput, now: number): Promise<MailLink | undefined> {
  const [link] = await db.select().from(mailLinks).where(isLink(given, now));
  return link?.usedAt === null ? undefined : link;
}

const isLink = ({ brand, token, purpose }: MailTokenInput, now: number) =>
  and(
    eq(mailLinks.tokenHash, hashOf(token)),
    eq(mailLinks.brand, brand),
    eq(mailLinks.purpose, purpose),
    gt(mailLinks.expiresAt, now),
  );

/** The token has 256 random bits, so a hash without salt cannot be reversed by trying. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Invalid tokens from one network. Valid ones are not counted: 256 bits cannot be guessed, so this only limits useless
 * requests, and never the link of a customer behind a carrier's shared address.
 */
const limit = { tries: 60, windowMs: 60 * 60_000 };

/**
 * Refuses an invalid email link with `linkGone`, or `tooFrequent` after too many. Never call it in a transaction: the
 * refusal would roll back the count.
 */
export async function refuseToken({
  deps,
  brand,
  ip,
  refuse,
}: RequestContext<'linkGone' | 'tooFrequent'>): Promise<never> {
  const taken = await countTryFrom(deps.db, `mail token ${brand.code}`, ip, limit, deps.clock());
  return taken.allowed ? refuse('linkGone') : refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
}
