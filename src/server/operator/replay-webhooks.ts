import { and, eq, gt, inArray, isNull, not, or, sql, type SQL } from 'drizzle-orm';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { isWaitingDelivery, maxWebhookTries, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { webhookUrls } from '#server/messages/webhooks/queue-event.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  OperatorError,
  requireOption,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { brandOf, brandOption } from './open-shop.ts';
import { periodOptions, spansGiven } from './order-list.ts';
import { conditionsOf, selectOptions } from './webhooks.ts';
import { counted } from './wording.ts';

type Delivery = typeof webhookDeliveries.$inferSelect;

const replayedAtOnce = 200;
/** What is tried within this time anyway may be on its way already: sooner would send it twice. In milliseconds. */
const soonMs = 2 * 60_000;

/** Events keep their id, so that a receiver that has processed one recognizes it. */
export const replayWebhooksCommand: ShopCommand = {
  name: 'webhooks replay',
  summary: 'sends events of a brand again: one, or those of some days',
  options: {
    ...selectOptions,
    waiting: { summary: 'only those that wait for their next attempt, which is then now' },
    brand: brandOption,
    id: { value: 'event', summary: 'only this one, such as evt_…, whatever its day' },
    address: { value: 'url', summary: 'to this address of the brand, instead of those of before' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done, explain } = shop;
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const { id, address } = given;
    const urls = webhookUrls(brand);
    assertSelected(given, brand, urls);
    const [span] = spansGiven(given, shop);
    const one = and(eq(webhookDeliveries.brand, brand.code), eq(webhookDeliveries.eventId, id ?? ''));
    const chosen = and(id === undefined ? span && conditionsOf(given, span) : one, stateWanted(given, deps.clock()));
    const isChosen = id !== undefined || given['event'] !== undefined;
    const isReached = inArray(webhookDeliveries.url, urls);
    const deliveries = await deps.db.transaction(async (tx) => {
      const inside = { ...shop, deps: { ...deps, db: tx } };
      const count =
        address === undefined
          ? await replay(inside, and(chosen, isReached))
          : await replayTo(inside, and(chosen, isChosen ? undefined : isFor(brand, address)), { address, urls });
      if (id !== undefined && count === 0) await refuseReplay(inside, brand, { id, one, urls });
      const change = {
        command: 'webhooks replay',
        brand: brand.code,
        subject: id ?? null,
        detail: { deliveries: count },
      };
      await writeAudit(tx, given, change, deps);
      return count;
    });
    done(`${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} repeated now.`, { deliveries });
    if (hasOption(given, 'waiting'))
      explain(
        'What is due within two minutes is sent anyway. An address that did not answer may rest for ten minutes.',
      );
    const left = address === undefined ? await deps.db.$count(webhookDeliveries, and(chosen, not(isReached))) : 0;
    if (left > 0)
      explain(`${left} more are for addresses that brand.yaml no longer has: --address sends them to another.`);
  },
};

function assertSelected(given: OptionValues, brand: Brand, urls: readonly string[]): void {
  const { id, from, address } = given;
  if (id === undefined && from === undefined && !hasOption(given, 'given-up') && !hasOption(given, 'waiting'))
    throw new OperatorError('--id, --from, --given-up or --waiting is missing.', { badUsage: true });
  if (address !== undefined && !urls.includes(address))
    throw new OperatorError(`${address} is not in the brand.yaml of ${brand.name}: ${urls.join(', ') || 'none is'}.`);
}

/** What is over, or with `--waiting` what would be tried later. With `--address` both. */
function stateWanted(given: OptionValues, now: number): SQL | undefined {
  const isWaiting = isWaitingDelivery(webhookDeliveries);
  if (hasOption(given, 'waiting')) return and(isWaiting, gt(webhookDeliveries.nextTryAt, now + soonMs));
  return given['address'] === undefined ? sql`not (${isWaiting})` : undefined;
}

/** The events that brand.yaml sends to an address. */
function isFor({ alerts, webhooks }: Brand, address: string): SQL | undefined {
  const { type } = webhookDeliveries;
  const isAlert = sql`${type} like 'alert.%'`;
  const listeners = (webhooks ?? []).filter(({ url }) => url === address);
  const told = listeners.map(({ events }) => (events ? inArray(type, [...events]) : not(isAlert)));
  return or(...told, alerts?.webhook === address ? isAlert : undefined);
}

async function refuseReplay(
  { deps: { db } }: ShopContext,
  brand: Brand,
  { id, one, urls }: { id: string; one: SQL | undefined; urls: readonly string[] },
): Promise<never> {
  const rows = await db.select().from(webhookDeliveries).where(one);
  const reached = rows.filter(({ url }) => urls.includes(url));
  const [other] = rows;
  if (reached.length === 0 && other)
    throw new OperatorError(`Event ${id} is for ${other.url}, which brand.yaml no longer has: name another --address.`);
  throw new OperatorError(
    other
      ? `Event ${id} is still waiting: 'webhooks list --waiting' shows its next attempt, and --waiting sends it now.`
      : `No event ${id} of ${brand.name} exists. Events are kept for 30 days.`,
  );
}

/** The deliveries in parts, by their time, so that no statement locks or sorts thousands of rows. */
async function* partsOf({ deps: { db } }: ShopContext, wanted: SQL | undefined): AsyncGenerator<Delivery[]> {
  const { eventId, url, createdAt } = webhookDeliveries;
  let last: Delivery | undefined;
  for (;;) {
    const later = last && sql`(${createdAt}, ${eventId}, ${url}) > (${last.createdAt}, ${last.eventId}, ${last.url})`;
    const rows = await db
      .select()
      .from(webhookDeliveries)
      .where(and(wanted, later))
      .orderBy(createdAt, eventId, url)
      .limit(replayedAtOnce);
    if (rows.length > 0) yield rows;
    if (rows.length < replayedAtOnce) return;
    last = rows.at(-1);
  }
}

async function replay(shop: ShopContext, wanted: SQL | undefined): Promise<number> {
  const { db, clock } = shop.deps;
  const { eventId, url } = webhookDeliveries;
  let replayed = 0;
  for await (const rows of partsOf(shop, wanted)) {
    const these = rows.map((row) => and(eq(eventId, row.eventId), eq(url, row.url)));
    await db
      .update(webhookDeliveries)
      .set({ tries: 0, sentAt: null, nextTryAt: clock() })
      .where(and(or(...these), wanted));
    replayed += rows.length;
  }
  return replayed;
}

/** The events to one address, whatever addresses they were for. Addresses that the brand no longer has lose them. */
async function replayTo(
  shop: ShopContext,
  wanted: SQL | undefined,
  { address, urls }: { address: string; urls: readonly string[] },
): Promise<number> {
  const { db, clock } = shop.deps;
  const { eventId, url } = webhookDeliveries;
  let replayed = 0;
  let last: string | undefined;
  for await (const rows of partsOf(shop, wanted)) {
    const again = { tries: 0, sentAt: null, nextTryAt: clock() };
    // an event has a row for each of its addresses, next to each other
    const events = new Map(rows.map((row) => [row.eventId, row]));
    if (last !== undefined) events.delete(last);
    const copies = Array.from(events.values(), ({ position: _, lastAnswer: _answer, ...event }) => ({
      ...event,
      ...again,
      url: address,
    }));
    if (copies.length > 0)
      await db
        .insert(webhookDeliveries)
        .values(copies)
        .onConflictDoUpdate({ target: [eventId, url], set: again });
    await deleteDeliveries(
      db,
      rows.filter((row) => row.sentAt === null && !urls.includes(row.url)),
    );
    replayed += copies.length;
    last = rows.at(-1)?.eventId;
  }
  return replayed;
}

/** Deletes those that were not accepted meanwhile. */
async function deleteDeliveries(db: Database, rows: readonly Delivery[]): Promise<void> {
  const { eventId, url, sentAt } = webhookDeliveries;
  if (rows.length === 0) return;
  const these = or(...rows.map((row) => and(eq(eventId, row.eventId), eq(url, row.url))));
  await db.delete(webhookDeliveries).where(and(these, isNull(sentAt)));
}

/** For events that nobody needs, for example those that were waiting in a restored backup. */
export const discardWebhooksCommand: ShopCommand = {
  name: 'webhooks discard',
  summary: 'takes events off the lists that were given up, or are for an address that brand.yaml no longer has',
  options: {
    ...periodOptions,
    brand: brandOption,
    id: { value: 'event', summary: 'only this one, such as evt_…, whatever its day' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const { id } = given;
    const { sentAt, tries, url, eventId } = webhookDeliveries;
    const [span] = spansGiven(given, shop);
    const isOfDays = span && conditionsOf({}, span);
    const isNamed = and(eq(webhookDeliveries.brand, brand.code), eq(eventId, id ?? ''));
    const isNeverSent = or(eq(tries, maxWebhookTries), not(inArray(url, webhookUrls(brand))));
    const unsent = and(id === undefined ? isOfDays : isNamed, isNull(sentAt), isNeverSent);
    const discarded = await deps.db.transaction(async (tx) => {
      const inside = { ...shop, deps: { ...deps, db: tx } };
      let count = 0;
      for await (const rows of partsOf(inside, unsent)) {
        await deleteDeliveries(tx, rows);
        count += rows.length;
      }
      const detail = { discarded: count };
      const change = { command: 'webhooks discard', brand: brand.code, subject: id ?? null, detail };
      if (count > 0) await writeAudit(tx, given, change, deps);
      return count;
    });
    done(`${counted(discarded, 'event')} will never be sent.`, { brand: brand.code, discarded });
  },
};
