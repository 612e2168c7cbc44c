import { and, desc, eq, gte, inArray, isNull, lt, type SQL } from 'drizzle-orm';
import type { Brand } from '#server/brand/catalog.ts';
import { isWaitingDelivery, maxWebhookTries, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { testAlertMail } from '#server/messages/operator-alerts.ts';
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

/** What waits for an address that the brand no longer has is never sent. */
function stateOf({ sentAt, tries, url }: Delivery, urls: readonly string[]) {
  if (sentAt !== null) return 'accepted';
  if (tries >= maxWebhookTries) return 'given up';
  return urls.includes(url) ? 'waiting' : 'address removed';
}

export const selectOptions = {
  ...periodOptions,
  event: { value: 'type', summary: 'of this type only, such as order.paid' },
  'given-up': { summary: 'only those that no attempt delivered' },
} as const satisfies Record<string, OptionText>;

export function conditionsOf(given: OptionValues, { brand, from, until }: BrandSpan): SQL | undefined {
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
      const urls = webhookUrls(span.brand);
      const isWaiting = and(isWaitingDelivery(webhookDeliveries), inArray(webhookDeliveries.url, urls));
      const rows = await deps.db
        .select()
        .from(webhookDeliveries)
        .where(and(conditionsOf(given, span), hasOption(given, 'waiting') ? isWaiting : undefined))
        .orderBy(desc(webhookDeliveries.createdAt))
        .limit(most);
      for (const delivery of rows) row(factsOf(delivery, urls));
      if (rows.length === most) explain(`There may be more of ${span.brand.code} than these ${most}.`);
      shown += rows.length;
    }
    if (shown === 0) explain('No events in this period.');
  },
};

const factsOf = (delivery: Delivery, urls: readonly string[]) => ({
  eventId: delivery.eventId,
  brand: delivery.brand,
  type: delivery.type,
  state: stateOf(delivery, urls),
  // giving up sets the column to the maximum, however often it was tried
  tries: stateOf(delivery, urls) === 'given up' ? null : delivery.tries,
  answer: delivery.lastAnswer,
  url: delivery.url,
  created: instantOf(delivery.createdAt),
  accepted: instantOf(delivery.sentAt),
  nextTry: stateOf(delivery, urls) === 'waiting' ? instantOf(delivery.nextTryAt) : null,
});

export const testWebhooksCommand: ShopCommand = {
  name: 'webhooks test',
  summary: 'sends the event webhook.test to each address of a brand now, and shows how it answers',
  options: { brand: brandOption },
  inShop: async (given, shop) => {
    const { deps } = shop;
    assertOwnSecret(shop);
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const urls = webhookUrls(brand);
    if (urls.length === 0) throw new OperatorError(`${brand.name} has no webhooks. Add them to its brand.yaml.`);
    await sendTests(shop, brand, urls);
  },
};

/** Sends a test to each address, and shows how it answers. */
async function sendTests({ deps, row }: ShopContext, brand: Brand, urls: readonly string[]): Promise<void> {
  const event = eventRow(brand, { type: 'webhook.test', data: {} }, deps.random.id(), deps.clock());
  let refused = 0;
  for (const url of urls) {
    const { isAccepted, answer } = await sendWebhook({ ...event, brand: brand.code, url }, deps.env, deps.clock());
    row({ url, answer, accepted: isAccepted });
    if (!isAccepted) refused += 1;
  }
  if (refused > 0) throw new OperatorError(`${refused} of ${urls.length} did not accept it with a status 2xx.`);
}

export const testAlertsCommand: ShopCommand = {
  name: 'alerts test',
  summary: 'emails a test to the address of `alerts` of a brand, and sends one to its webhook',
  options: { brand: brandOption },
  inShop: async (given, shop) => {
    const { deps, explain } = shop;
    const brand = brandOf(deps, requireOption(given, 'brand'));
    if (!brand.alerts) throw new OperatorError(`${brand.name} has no alerts. Add them to its brand.yaml.`);
    const { email, webhook } = brand.alerts;
    if (email !== undefined) {
      await queueMail(deps.db, { brand, to: email, ...testAlertMail(brand) }, deps);
      explain(`A test is queued for ${email}; the shop sends it as soon as it runs.`);
    }
    if (webhook === undefined) return;
    assertOwnSecret(shop);
    await sendTests(shop, brand, [webhook]);
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
