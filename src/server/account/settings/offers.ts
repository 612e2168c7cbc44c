import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, asc, gt, isNull, sql } from 'drizzle-orm';
import type * as contract from '#contract/settings.ts';
import { maskAccount } from '#contract/mask.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { isSubscribedToOffers, users } from '#server/db/schema/users.ts';
import { refuseToken } from '#server/auth/mail-links.ts';
import type { Env } from '#server/env.ts';
import { allSecrets, derivedKey, type SecretsEnv } from '#server/runtime/signing-secret.ts';
import type { Language } from '#contract/fields.ts';
import { campaigns } from '#server/db/schema/offers.ts';
import { customerCoupons } from '#server/db/schema/orders.ts';
import { isLoginAllowed } from '#server/auth/users.ts';
import type { Deps } from '#server/deps.ts';
import { offersMail } from '#server/messages/offer-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import type { App, Handler } from '#server/runtime/request/request-context.ts';
import { ApiRefusal, refusalOf } from '#server/runtime/request/api-error.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import { readForm } from '#server/runtime/request/read-bytes.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';

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
 * stored: a link of last year still works, also after a change of the secret.
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
function readOffersToken(env: SecretsEnv, brand: string, token: string): CustomerKey | undefined {
  const who = { brand, uid: token.slice(0, -signatureLength) };
  const given = Buffer.from(token.slice(-signatureLength), 'base64url');
  const expected = allSecrets(env).map((secret) => signature(secret, who));
  return expected.some((one) => given.length === one.length && timingSafeEqual(given, one)) ? who : undefined;
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
    .where(and(eq(users.brand, brand), eq(users.uid, uid), isSubscribedToOffers(users)));
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

interface Campaign {
  readonly brand: Brand;
  readonly name: string;
  readonly subject: string;
  /** `{name}` is the nickname of its reader */
  readonly text: string;
  readonly language?: Language | undefined;
  /** the code of a coupon that every reader receives with it */
  readonly coupon?: string | undefined;
}

/** The text for one customer. "Hello, {name}!" is "Hello!" for a customer without a nickname. */
export const fillName = (text: string, nickname: string): string =>
  nickname === '' ? text.replaceAll(/,?[ \t]*\{name\}/g, '') : text.replaceAll('{name}', () => nickname);

/** Customers of a brand who receive offers: not those who cannot log in or whose account is about to be deleted. */
const isReader = (brand: Brand) =>
  and(eq(users.brand, brand.code), isSubscribedToOffers(users), isLoginAllowed, isNull(users.leavesAt));

const isNamed = ({ brand, name }: Pick<Campaign, 'brand' | 'name'>) =>
  and(eq(campaigns.brand, brand.code), eq(campaigns.name, name));

const hasContents = (
  row: typeof campaigns.$inferSelect,
  { subject, text, language }: Pick<Campaign, 'subject' | 'text' | 'language'>,
) => row.subject === subject && row.text === text && row.language === (language ?? null);

/**
 * What `sendOffers` would do: with how many customers, and whether it has `begun` before, is `sent` to everyone, or is
 * refused because an offer of its name has `other` contents.
 */
export async function assessOffer(
  db: Database,
  offer: Campaign,
): Promise<{ readonly state: 'new' | 'begun' | 'sent' | 'other'; readonly customers: number }> {
  const { brand, language } = offer;
  const [row] = await db.select().from(campaigns).where(isNamed(offer));
  if (row && !hasContents(row, offer)) return { state: 'other', customers: 0 };
  if (row && row.finishedAt !== null) return { state: 'sent', customers: 0 };
  const isWanted = language === undefined ? undefined : eq(users.language, language);
  const isLeft = row && gt(users.uid, row.reached);
  const customers = await db.$count(users, and(isReader(brand), isWanted, isLeft));
  return { state: row ? 'begun' : 'new', customers };
}

const batch = 200;
type OfferDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'env'>;

/**
 * Queues an offer for all customers who receive offers, in batches of one transaction each: after an interruption, the
 * same call continues, and no customer gets it twice. Returns the number of recipients, or undefined if an offer of
 * this name has other contents.
 */
export async function sendOffers(deps: OfferDeps, campaign: Campaign): Promise<number | undefined> {
  const { brand, name, subject, text, language = null } = campaign;
  const first = { brand: brand.code, name, subject, text, language, createdAt: deps.clock() };
  await deps.db.insert(campaigns).values(first).onConflictDoNothing();
  for (;;) {
    const step = await deps.db.transaction((tx) => sendBatch(tx, campaign, deps));
    if (!step.same) return undefined;
    if (step.finished) return step.queued;
  }
}

async function sendBatch(tx: Database, campaign: Campaign, deps: OfferDeps) {
  const { brand, subject, text } = campaign;
  const itself = isNamed(campaign);
  // concurrent calls run one after the other
  const [row] = await tx.select().from(campaigns).where(itself).for('update');
  const same = row !== undefined && hasContents(row, campaign);
  if (!row || !same || row.finishedAt !== null) return { same, finished: true, queued: row?.queued ?? 0 };
  const readers = await tx
    .select({ uid: users.uid, email: users.email, language: users.language, nickname: users.nickname })
    .from(users)
    .where(and(isReader(brand), gt(users.uid, row.reached)))
    .orderBy(asc(users.uid))
    .limit(batch);
  const wanted = readers.filter(({ language }) => row.language === null || language === row.language);
  for (const { uid, email, language, nickname } of wanted) {
    const words = { subject: fillName(subject, nickname), text: fillName(text, nickname) };
    const mail = offersMail(brand, language, { ...words, unsubscribeUrl: offersUrl(deps.env, brand, uid) });
    if (email !== null) await queueMail(tx, { brand, to: email, offersTo: uid, ...mail }, deps);
  }
  if (campaign.coupon !== undefined && wanted.length > 0) {
    const gift = { brand: brand.code, code: campaign.coupon, givenAt: deps.clock() };
    const rows = wanted.map(({ uid }) => ({ ...gift, uid }));
    await tx.insert(customerCoupons).values(rows).onConflictDoNothing();
  }
  const finished = readers.length < batch;
  const [after] = await tx
    .update(campaigns)
    .set({
      reached: readers.at(-1)?.uid ?? row.reached,
      queued: sql`${campaigns.queued} + ${wanted.length}`,
      finishedAt: finished ? deps.clock() : null,
    })
    .where(itself)
    .returning({ queued: campaigns.queued });
  return { same, finished, queued: after?.queued ?? 0 };
}

/** Invalid tokens from one network. A mail service posts for many customers, so valid ones are not counted. */
const limit = { tries: 60, windowMs: 60 * 60_000 };

const plain = (status: number, words: string) =>
  new Response(words, {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store' },
  });

/**
 * One-click unsubscribe (RFC 8058, 3.2): the mail program's server posts to the URL of the header, without session,
 * cookie or redirect. A GET of the same URL shows the storefront's confirmation page.
 */
export function mountUnsubscribe(app: App, deps: Deps): void {
  app.post('/unsubscribe', async (c) => {
    c.set('route', '/unsubscribe');
    const { code } = c.get('brand');
    const form = await readForm(c, deps, { maxBytes: 8 * 1024 }).catch(refusalOf);
    if (form instanceof ApiRefusal) return plain(form.status, 'the body cannot be read');
    if (form?.get('List-Unsubscribe') !== 'One-Click') return plain(400, 'List-Unsubscribe=One-Click is missing');
    const who = readOffersToken(deps.env, code, c.req.query('token') ?? '');
    if (who && (await setOffers(deps.db, who, false)) !== undefined) return plain(200, 'unsubscribed');
    const taken = await countTryFrom(deps.db, `unsubscribe ${code}`, callerOf(c, deps.env).ip, limit, deps.clock());
    return taken.allowed ? plain(404, 'unknown') : plain(429, 'too many');
  });
}
