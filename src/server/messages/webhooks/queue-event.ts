import type { Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { webhookDeliveries, type WebhookEventType } from '#server/db/schema/webhooks.ts';
import type { Deps } from '#server/deps.ts';
import type { AlertKind } from '#server/runtime/metrics.ts';
import type { TurnOffCause } from '#server/db/schema/subscriptions.ts';

interface OfOrder {
  readonly orderId: string;
  readonly uid: string;
}

/** The data of each event beside the code of its brand, as docs/webhooks.md describes it. Fields are only added. */
interface EventData {
  readonly 'order.paid': OfOrder & {
    readonly planId: string;
    readonly days: number;
    readonly methodCode: string;
    readonly gateway: string;
    readonly amount: Money;
    readonly coupon: string | null;
    /** whether automatic renewal paid it */
    readonly isRenewal: boolean;
    readonly serviceStart: string | null;
    readonly serviceEnd: string | null;
  };
  readonly 'order.refunded': OfOrder & {
    /** this refund */
    readonly amount: Money;
    /** whether all that was paid is refunded */
    readonly isWhole: boolean;
    /** the order was paid twice, and this payment is returned: the order stays paid */
    readonly isDuplicate: boolean;
  };
  readonly 'order.disputed': OfOrder & {
    readonly amount: Money;
    readonly gateway: string;
    /** until when the provider accepts evidence, where it says so */
    readonly respondBy: string | null;
  };
  readonly 'order.dispute_closed': OfOrder & { readonly outcome: 'won' | 'lost' };
  readonly 'renewal.charged': OfOrder & {
    readonly planId: string;
    readonly amount: Money;
    readonly serviceEnd: string | null;
  };
  readonly 'renewal.turned_off': {
    readonly uid: string;
    readonly planId: string;
    readonly by: TurnOffCause | 'deletion';
    readonly accessUntil: string;
  };
  readonly 'renewal.ended': { readonly uid: string; readonly planId: string };
  readonly 'account.deleted': { readonly uid: string };
}

/** An event of a brand. Alerts have data of their own kind (operator-alerts.ts); a test has none. */
export type WebhookEvent =
  | { [Type in WebhookEventType]: { readonly type: Type; readonly data: EventData[Type] } }[WebhookEventType]
  | { readonly type: `alert.${AlertKind}` | 'webhook.test'; readonly data: Readonly<Record<string, unknown>> };

type Listener = Pick<Brand, 'code' | 'alerts' | 'webhooks'>;

/** The addresses of a brand that are told about an event of this type. */
function listenersOf({ alerts, webhooks }: Listener, type: WebhookEvent['type']): readonly string[] {
  if (type.startsWith('alert.')) return alerts?.webhook === undefined ? [] : [alerts.webhook];
  return (webhooks ?? []).filter(({ events }) => events?.some((one) => one === type) ?? true).map(({ url }) => url);
}

/** All addresses of a brand. */
export const webhookUrls = ({ alerts, webhooks }: Listener): readonly string[] => [
  ...new Set([...(webhooks ?? []).map(({ url }) => url), ...(alerts?.webhook === undefined ? [] : [alerts.webhook])]),
];

/** Whether any address of the brand is told about one of these events; `undefined` for a brand that is retired. */
export function listensTo(brand: Listener | undefined, ...types: readonly WebhookEventType[]): boolean {
  return brand !== undefined && types.some((type) => listenersOf(brand, type).length > 0);
}

/**
 * Queues an event in the transaction of the change that it reports: both are committed or neither is
 * (jobs/send-webhooks.ts sends it). Costs nothing for a brand that nobody listens to.
 */
export async function queueEvent(
  tx: Database,
  brand: Listener | undefined,
  event: WebhookEvent,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  const urls = brand ? listenersOf(brand, event.type) : [];
  if (!brand || urls.length === 0) return;
  const now = clock();
  const row = { brand: brand.code, ...eventRow(brand, event, random.id(), now) };
  await tx.insert(webhookDeliveries).values(urls.map((url) => ({ ...row, url, nextTryAt: now })));
}

/** An event as it is signed and sent. `now` in epoch milliseconds. */
export function eventRow({ code: brand }: Pick<Brand, 'code'>, { type, data }: WebhookEvent, id: string, now: number) {
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data: { brand, ...data } });
  return { eventId: `evt_${id}`, type, body, createdAt: now };
}

/** An instant of an event (epoch milliseconds), as in ISO 8601. */
export const eventTime = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();
