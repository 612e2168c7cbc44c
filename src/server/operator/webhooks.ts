import { and, desc, eq, gte, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { isWaitingDelivery, maxWebhookTries, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { eventRow, webhookUrls } from '#server/messages/webhooks/queue-event.ts';
import { sendWebhook, webhookSecret } from '#server/messages/webhooks/send-webhook.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  instantOf,
  numberOption,
  OperatorError,
  requireOption,
  type OptionText,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { assertOwnSecret, brandOf, brandOption } from './open-shop.ts';
import { periodOptions, spansGiven, type BrandSpan } from './order-list.ts';

type Delivery = typeof webhookDeliveries.$inferSelect;

const stateOf = ({ sentAt, tries }: Delivery) =>
  sentAt === null ? (tries >= maxWebhookTries ? 'given up' : 'waiting') : 'accepted';

const selectOptions = {
  ...periodOptions,
  event: { value: 'type', summary: 'of this type only, such as order.paid' },
  'given-up': { summary: 'only those that no attempt delivered' },
} as const satisfies Record<string, OptionText>;

function conditionsOf(given: OptionValues, { brand, from, until }: BrandSpan): SQL | undefined {
  const { createdAt, sentAt, type } = webhookDeliveries;
  const isGivenUp = and(isNull(sentAt), eq(webhookDeliveries.tries, maxWebhookTries));
  return and(
    eq(webhookDeliveries.brand, brand.code),
    gte(createdAt, from),
    lt(createdAt, until),
    given['event'] === undefined ? undefined : eq(type, given['event']),
    hasOption(given, 'given-up') ? isGivenUp : undefined,
  );
}

export const listWebhooksCommand: ShopCommand = {
  name: 'webhooks list',
  summary: 'lists the events of some days that were sent to your own systems, of each brand the newest first',
  options: {
    ...selectOptions,
    waiting: { summary: 'only those that no system has accepted yet' },
    limit: { value: 'number', summary: 'lines at most for each brand (50)' },
  },
  inShop: async (given, shop) => {
    const { deps, row, explain } = shop;
    const most = numberOption(given, 'limit', { usual: 50, most: 100_000 });
    let shown = 0;
    for (const span of spansGiven(given, shop)) {
      const waits = hasOption(given, 'waiting') ? isWaitingDelivery(webhookDeliveries) : undefined;
      const rows = await deps.db
        .select()
        .from(webhookDeliveries)
        .where(and(conditionsOf(given, span), waits))
        .orderBy(desc(webhookDeliveries.createdAt))
        .limit(most);
      for (const delivery of rows) row(factsOf(delivery));
      if (rows.length === most) explain(`There may be more of ${span.brand.code} than these ${most}.`);
      shown += rows.length;
    }
    if (shown === 0) explain('No events in this period.');
  },
};

const factsOf = (delivery: Delivery) => ({
  eventId: delivery.eventId,
  brand: delivery.brand,
  type: delivery.type,
  state: stateOf(delivery),
  tries: delivery.tries,
  answer: delivery.lastAnswer,
  url: delivery.url,
  created: instantOf(delivery.createdAt),
  accepted: instantOf(delivery.sentAt),
  nextTry: stateOf(delivery) === 'waiting' ? instantOf(delivery.nextTryAt) : null,
});

const replayedAtOnce = 200;

/** Events keep their id, so that a receiver that has processed one recognizes it. */
export const replayWebhooksCommand: ShopCommand = {
  name: 'webhooks replay',
  summary: 'sends events of a brand again: one, or those of some days',
  options: {
    ...selectOptions,
    brand: brandOption,
    id: { value: 'event', summary: 'only this one, such as evt_…, whatever its day' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const { id } = given;
    if (id === undefined && given['from'] === undefined && !hasOption(given, 'given-up'))
      throw new OperatorError('--id, --from or --given-up is missing.', { badUsage: true });
    const [span] = spansGiven(given, shop);
    const one = and(eq(webhookDeliveries.brand, brand.code), eq(webhookDeliveries.eventId, id ?? ''));
    const wanted = id === undefined ? span && conditionsOf(given, span) : one;
    const deliveries = await replay(shop, wanted);
    if (id !== undefined && deliveries === 0) {
      const [waiting] = await deps.db.select().from(webhookDeliveries).where(one).limit(1);
      throw new OperatorError(
        waiting
          ? `Event ${id} is still waiting: 'webhooks list --waiting' shows its next attempt.`
          : `No event ${id} of ${brand.name} exists. Events are kept for 30 days.`,
      );
    }
    const detail = { deliveries };
    await writeAudit(
      deps.db,
      given,
      { command: 'webhooks replay', brand: brand.code, subject: id ?? null, detail },
      deps,
    );
    done(`${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} repeated now.`, { deliveries });
  },
};

/** In parts, so that no statement locks thousands of rows. What waits already is left alone. */
async function replay({ deps: { db, clock } }: ShopContext, wanted: SQL | undefined): Promise<number> {
  const { eventId, url, createdAt } = webhookDeliveries;
  const isOver = sql`not (${isWaitingDelivery(webhookDeliveries)})`;
  let replayed = 0;
  let last: Pick<Delivery, 'createdAt' | 'eventId' | 'url'> | undefined;
  for (;;) {
    const later = last && sql`(${createdAt}, ${eventId}, ${url}) > (${last.createdAt}, ${last.eventId}, ${last.url})`;
    const rows = await db
      .select({ eventId, url, createdAt })
      .from(webhookDeliveries)
      .where(and(wanted, isOver, later))
      .orderBy(createdAt, eventId, url)
      .limit(replayedAtOnce);
    const these = rows.map((row) => and(eq(eventId, row.eventId), eq(url, row.url)));
    if (rows.length > 0)
      await db
        .update(webhookDeliveries)
        .set({ tries: 0, sentAt: null, nextTryAt: clock() })
        .where(and(or(...these), isOver));
    replayed += rows.length;
    if (rows.length < replayedAtOnce) return replayed;
    last = rows.at(-1);
  }
}

export const testWebhooksCommand: ShopCommand = {
  name: 'webhooks test',
  summary: 'sends the event webhook.test to each address of a brand now, and shows how it answers',
  options: { brand: brandOption },
  inShop: async (given, shop) => {
    const { deps, row } = shop;
    assertOwnSecret(shop);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const urls = webhookUrls(brand);
    if (urls.length === 0) throw new OperatorError(`${brand.name} has no webhooks. Add them to its brand.yaml.`);
    const event = eventRow(brand, { type: 'webhook.test', data: {} }, deps.random.id(), deps.clock());
    let refused = 0;
    for (const url of urls) {
      const { isAccepted, answer } = await sendWebhook({ ...event, brand: brand.code, url }, deps.env, deps.clock());
      row({ url, answer, accepted: isAccepted });
      if (!isAccepted) refused += 1;
    }
    if (refused > 0) throw new OperatorError(`${refused} of ${urls.length} did not accept it with a status 2xx.`);
  },
};

export const webhookSecretCommand: ShopCommand = {
  name: 'webhooks secret',
  summary: 'prints the secret with which your own systems verify the webhooks of a brand',
  options: { brand: brandOption, ...auditOptions },
  inShop: async (given, shop) => {
    const { deps, print, explain } = shop;
    assertOwnSecret(shop);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    // recorded first: a secret that is not in the audit log must not be printed
    await writeAudit(deps.db, given, { command: 'webhooks secret', brand: brand.code }, deps);
    print(webhookSecret(deps.env, brand.code));
    explain('It belongs to this SIGNING_SECRET, and changes with it.');
  },
};
