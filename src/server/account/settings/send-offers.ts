import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { campaigns } from '#server/db/schema/offers.ts';
import { getsOffers, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { offersMail } from '#server/messages/offers-mail.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { offersUrl } from './offers.ts';

export interface Campaign {
  readonly brand: Brand;
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  readonly language?: Language | undefined;
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
  const { brand, name, subject, text } = campaign;
  const itself = and(eq(campaigns.brand, brand.code), eq(campaigns.name, name));
  // concurrent calls run one after the other
  const [row] = await tx.select().from(campaigns).where(itself).for('update');
  const same = row?.subject === subject && row.text === text && row.language === (campaign.language ?? null);
  if (!row || !same || row.finishedAt !== null) return { same, finished: true, queued: row?.queued ?? 0 };
  const readers = await tx
    .select({ uid: users.uid, email: users.email, language: users.language })
    .from(users)
    .where(and(eq(users.brand, brand.code), gt(users.uid, row.reached), getsOffers(users)))
    .orderBy(asc(users.uid))
    .limit(batch);
  const wanted = readers.filter(({ language }) => row.language === null || language === row.language);
  for (const { uid, email, language } of wanted) {
    const mail = offersMail(brand, language, { subject, text, wayOut: offersUrl(deps.env, brand, uid) });
    if (email !== null) await queueMail(tx, { brand, to: email, offersTo: uid, ...mail }, deps);
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
