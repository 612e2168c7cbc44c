import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import type { AuthoriseRequest } from '../gateway.ts';
import { toDecimal } from '../decimal-money.ts';
import type { KnownAttempt } from '../find-attempt.ts';
import type { BtcpayAnswer, BtcpayClient, BtcpayStore } from './client.ts';
import { bareInvoiceSchema, invoiceSchema, ownerSchema, type Invoice } from './schemas.ts';

export interface BtcpayDeps extends Pick<Deps, 'db' | 'clock' | 'log'> {
  readonly store: BtcpayStore;
  readonly client: BtcpayClient;
}

/** How long an address waits and its rate holds, and for how long after that the server looks for money, in minutes. */
const lifetimeMinutes = 60;
const monitoredMinutes = 24 * 60;

/** How sure the network has to be ("SpeedPolicy" of the Greenfield API), by confirmations. */
const speeds: Readonly<Record<number, string>> = { 1: 'MediumSpeed', 2: 'LowMediumSpeed', 6: 'LowSpeed' };

/**
 * [Note: BTCPay invoices] The Greenfield API has no idempotency key, so an invoice carries our key as its order id, and is
 * looked for by it before one is made. Two calls at the same moment, or one that arrives after we gave it up, may still
 * make a second one; that charges nobody. An invoice is an address and nothing more: coins come only to one that a payer
 * was shown, which is the one that the attempt names, or the oldest. Should they come to another one of the same key all
 * the same, its notice pays the attempt. So a key whose creation was lost may be called failed although its invoice could
 * still turn up: nobody has its address.
 */
export async function findInvoice(deps: BtcpayDeps, attempt: KnownAttempt): Promise<Invoice | 'none' | undefined> {
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

/** `none` for an id that the server does not know, or that is of another store. */
export async function readInvoice({ client, store }: BtcpayDeps, id: string): Promise<Invoice | 'none' | undefined> {
  const path = `/invoices/${id}?includePaymentMethods=true`;
  const answer = await client.call({ method: 'GET', path }, invoiceSchema);
  if (answer?.kind === 'done') return answer.body.storeId === store.storeId ? answer.body : 'none';
  return answer?.status === 404 ? 'none' : undefined;
}

/**
 * The invoice that a notice names, and the attempt that the shop wrote to it; `none` for one that is not of the store,
 * undefined where the server could not be asked. `invoice` is missing where it cannot be read.
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

/** Makes the invoice of an attempt; nothing in it says who the customer is. */
export function createInvoice(
  { client, store }: BtcpayDeps,
  attempt: KnownAttempt,
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

/** Calls an invoice off. True when the server did. */
export async function markInvalid({ client }: BtcpayDeps, id: string): Promise<boolean> {
  const call = { method: 'POST', path: `/invoices/${id}/status`, body: { status: 'Invalid' } } as const;
  return (await client.call(call, bareInvoiceSchema))?.kind === 'done';
}
