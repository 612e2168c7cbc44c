import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import * as endpoints from '#contract/index.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { noticeSecret } from '#sandbox/gateway/protocol.ts';
import { sandboxWebhookId, noticeHeaders } from '#sandbox/paypal/events.ts';
import { sandboxPaypalOrders } from '#sandbox/schema.ts';
import { openPaypal } from '#server/runtime/wiring/open-gateways.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { aShop, type Buyer, type Shop } from './a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/** A fault of a request to PayPal; undefined lets the request through. */
type PaypalFaultRule = (request: Request, reach: SendRequest) => Promise<Response> | undefined;

export interface PaypalShop extends Shop {
  /** everything that the shop logged, as text */
  logged(): string;
  /** the requests to PayPal so far */
  asked: { method: string; path: string; requestId: string | null; body: string }[];
  /** sets the fault of later requests */
  spoil(how: PaypalFaultRule | undefined): void;
  /** returns from PayPal's page: the call of the return page */
  back(payment: Pick<PaymentAnswer, 'resultToken'>): ReturnType<typeof capture>;
  /** runs the reconciliation of open payments when it is due */
  reconciled(): Promise<number>;
  statusOf(buyer: Buyer, orderId: string): Promise<string>;
  /** the records of an order, in the shop and at PayPal */
  recordsOf(orderId: string): Promise<{
    attempts: (typeof attempts.$inferSelect)[];
    paypal: (typeof sandboxPaypalOrders.$inferSelect)[];
    /** kinds of the ledger's entries */
    ledger: string[];
    /** what disputes took, in minor units */
    disputed: number[];
  }>;
}

export const byPaypal = { methodCode: 'paypal', card: undefined, payer: {} } as const;

const capture = (shop: Shop, id: string) => shop.request(endpoints.paypalCapture, { params: { id } });

/** The whole server with the sandbox PayPal, whose connection can fail. */
export async function aPaypalShop(db?: Database): Promise<PaypalShop> {
  const lines: string[] = [];
  const asked: PaypalShop['asked'] = [];
  let fault: PaypalFaultRule | undefined;
  const withFault = (reach: SendRequest): SendRequest => {
    return async (request) => {
      const { method, headers, url } = request;
      const body = await request.clone().text();
      asked.push({ method, path: new URL(url).pathname, requestId: headers.get('paypal-request-id'), body });
      return fault?.(request, reach) ?? reach(request);
    };
  };
  const shop = await aShop(db, {
    deps: (base) => {
      const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
      const paypal = openPaypal({ ...base, log }, sandbox, withFault);
      return { log, gateways: { ...base.gateways, ...(paypal && { paypal }) } };
    },
  });
  return {
    ...shop,
    logged: () => lines.join(''),
    asked,
    spoil: (next) => {
      fault = next;
    },
    back: ({ resultToken }) => capture(shop, resultToken),
    reconciled: () => {
      shop.clock.advance(defaultReconcileAfterMs);
      return reconcile(shop.deps);
    },
    statusOf: async (buyer, orderId) =>
      (await shop.request(endpoints.order, { params: { id: orderId } }, buyer)).data.status,
    recordsOf: async (orderId) => {
      const { db } = shop;
      const tries = await db.select().from(attempts).where(eq(attempts.orderId, orderId));
      const keys = tries.map(({ id }) => id);
      const orders = await db.select().from(sandboxPaypalOrders);
      const booked = await db.select().from(ledger).where(eq(ledger.orderId, orderId));
      return {
        attempts: tries,
        paypal: orders.filter(({ customId }) => keys.includes(customId)),
        ledger: booked.map(({ kind }) => kind).sort(),
        disputed: booked.flatMap(({ kind, amount }) => (kind === 'chargeback' ? -amount : [])),
      };
    },
  };
}

/** How a request fails: it is lost, its response is lost or changed, or PayPal refuses it before it takes effect. */
export type How =
  | 'before'
  | 'after'
  | ((answer: Response) => Response | Promise<Response>)
  | { readonly instead: object };

/** Fails the first request whose path ends with `end`. `instead` is the body of a refusal; PayPal gets no request. */
export function once(end: string, how: How): PaypalFaultRule {
  let done = false;
  return (request, reach) => {
    if (done || !new URL(request.url).pathname.endsWith(end)) return undefined;
    done = true;
    return failRequest(request, reach, how);
  };
}

async function failRequest(request: Request, reach: SendRequest, how: How): Promise<Response> {
  if (how === 'before') throw new Error('no connection');
  if (typeof how === 'object') return Response.json(how.instead, { status: 422 });
  const answer = await reach(request);
  if (how === 'after') throw new Error('the connection was cut');
  return how(answer);
}

/** The URL of PayPal's page. */
export function pageAt(next: NextStep): string {
  if (next.type !== 'redirect') throw new Error(`no page to go to, but ${next.type}`);
  return next.url;
}

export interface PaypalEvent {
  readonly event_type: string;
  readonly resource: object;
  readonly id?: string;
}

interface Sending {
  /** epoch milliseconds */
  readonly sentAt?: number;
  readonly headers?: Record<string, string>;
  /** sent instead of the signed text */
  readonly body?: string;
}

/** Sends an event as PayPal does, signed with the current time by default. */
export async function sendEvent(
  shop: Shop,
  event: PaypalEvent,
  { sentAt = shop.clock.now, headers = {}, body = '' }: Sending = {},
): Promise<number> {
  const text = JSON.stringify({ id: `WH-${crypto.randomUUID()}`, ...event });
  const secret = noticeSecret(shop.deps.env);
  const signing = {
    id: crypto.randomUUID(),
    webhookId: sandboxWebhookId,
    body: text,
    now: sentAt,
    origin: 'http://localhost',
  };
  const signed = { ...noticeHeaders(secret, signing), ...headers };
  return (await shop.app.request('/webhooks/paypal', { method: 'POST', headers: signed, body: body || text })).status;
}
