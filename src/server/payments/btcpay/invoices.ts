import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import type { AuthoriseRequest } from '../gateway.ts';
import { toDecimal } from '../terms.ts';
import type { GatewayAttempt } from '../send-provider-request.ts';
import {
  type BtcpayAnswer,
  type BtcpayClient,
  type BtcpayStore,
  bareInvoiceSchema,
  invoiceSchema,
  ownerSchema,
  type Invoice,
} from './client.ts';

export interface BtcpayDeps extends Pick<Deps, 'db' | 'clock' | 'log'> {
  readonly store: BtcpayStore;
  readonly client: BtcpayClient;
}

/** How long an address and its rate are valid, and how long after that the server watches for money, in minutes. */
const lifetimeMinutes = 60;
const monitoredMinutes = 24 * 60;

/** The required confirmations as the "SpeedPolicy" of the Greenfield API. */
const speeds: Readonly<Record<number, string>> = { 1: 'MediumSpeed', 2: 'LowMediumSpeed', 6: 'LowSpeed' };

/**
 * Finds the invoice of an attempt. The Greenfield API has no idempotency key, so an invoice contains our key as its
 * order ID and is searched for before one is created. Concurrent or delayed calls may create a second one, which
 * charges nothing.
 *
 * Coins arrive only at an address that a payer was shown: that of the invoice that the attempt names, or of the
 * oldest. If they arrive at another one of the same key, its notice pays the attempt. So a key whose creation was lost
 * may be called failed although its invoice may still appear: its address was never shown.
 */
export async function findInvoice(deps: BtcpayDeps, attempt: GatewayAttempt): Promise<Invoice | 'none' | undefined> {
  const { client, store } = deps;
  if (attempt.providerRef !== null) return readInvoice(deps, attempt.providerRef);
  const query = new URLSearchParams({ orderId: attempt.id, includePaymentMethods: 'true' });
  const answer = await client.call(
    { method: 'GET', path: `/stores/${store.storeId}/invoices?${query.toString()}` },
    v.array(invoiceSchema),
  );
  if (answer?.kind !== 'done') return undefined;
  const own = answer.body.filter(({ metadata }) => metadata.orderId === attempt.id);
  return own.toSorted((one, other) => one.createdTime - other.createdTime || (one.id < other.id ? -1 : 1))[0] ?? 'none';
}

/** `none` for an ID that the server does not know, or that is of another store. */
export async function readInvoice({ client, store }: BtcpayDeps, id: string): Promise<Invoice | 'none' | undefined> {
  const path = `/invoices/${id}?includePaymentMethods=true`;
  const answer = await client.call({ method: 'GET', path }, invoiceSchema);
  if (answer?.kind === 'done') return answer.body.storeId === store.storeId ? answer.body : 'none';
  return answer?.status === 404 ? 'none' : undefined;
}

/**
 * The invoice that a notice names, with the key in it; `none` if it is of another store, undefined if the server could
 * not be reached. `invoice` is missing if it is unreadable.
 */
export async function readNamedInvoice(
  { client, store }: BtcpayDeps,
  id: string,
): Promise<{ readonly key: string; readonly invoice: Invoice | undefined } | 'none' | undefined> {
  const path = `/invoices/${id}?includePaymentMethods=true`;
  const answer = await client.call({ method: 'GET', path }, ownerSchema);
  if (answer?.kind !== 'done') return answer?.status === 404 ? 'none' : undefined;
  if (answer.body.storeId !== store.storeId || answer.body.id !== id) return 'none';
  const invoice = v.safeParse(invoiceSchema, answer.body);
  return { key: answer.body.metadata.orderId, invoice: invoice.success ? invoice.output : undefined };
}

/** Creates the invoice of an attempt. It contains nothing that identifies the customer. */
export function createInvoice(
  { client, store }: BtcpayDeps,
  attempt: GatewayAttempt,
  { merchantName, orderLabel, returnUrl }: Pick<AuthoriseRequest, 'merchantName' | 'orderLabel' | 'returnUrl'>,
): Promise<BtcpayAnswer<{ id: string }> | undefined> {
  const body = {
    amount: toDecimal(attempt),
    currency: attempt.currency,
    metadata: { orderId: attempt.id, itemDesc: `${merchantName} ${orderLabel}` },
    checkout: {
      speedPolicy: speeds[store.confirmations],
      expirationMinutes: lifetimeMinutes,
      monitoringMinutes: monitoredMinutes,
      // an address for every coin from the beginning
      lazyPaymentMethods: false,
      redirectURL: returnUrl,
    },
    additionalSearchTerms: [orderLabel],
  };
  return client.call({ method: 'POST', path: `/stores/${store.storeId}/invoices`, body }, bareInvoiceSchema);
}

/** Invalidates an invoice. True if the server did. */
export async function markInvalid({ client }: BtcpayDeps, id: string): Promise<boolean> {
  const call = { method: 'POST', path: `/invoices/${id}/status`, body: { status: 'Invalid' } } as const;
  return (await client.call(call, bareInvoiceSchema))?.kind === 'done';
}
