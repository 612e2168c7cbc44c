import * as v from 'valibot';
import type { GatewayAnswer, GatewayNotice } from '../gateway.ts';
import { captured, failed, unknown } from './answers.ts';
import { fromPaypal } from './currencies.ts';
import { findAttempt, keyOfCapture } from './find-attempt.ts';
import type { PaypalRoom } from './orders.ts';
import { captureReference } from './reference.ts';
import {
  approvedOrderSchema,
  captureSchema,
  disputeSchema,
  givenBackSchema,
  linkOf,
  type PaypalEvent,
} from './schemas.ts';

/** What an event tells; `key` empty for a payment that is not this shop's. */
type Told = Omit<GatewayNotice, 'eventId'>;
type Stage = GatewayNotice['stage'];
type Reader = (room: PaypalRoom, resource: unknown, now: number) => Promise<Told | undefined>;

const charge = (key: string, answer: GatewayAnswer): Told => ({ key, kind: 'charge', answer });

/**
 * An event of an order. Nothing is captured here: an approval leaves the payment waiting, and the payer's return or,
 * within a minute, the job that asks about open payments captures it.
 */
const readOrderEvent: Reader = async (_room, resource) => {
  const { purchase_units: units } = v.parse(approvedOrderSchema, resource);
  return charge(units[0]?.custom_id ?? '', { state: 'pending' });
};

const reviewMs = 10 * 24 * 60 * 60_000;

const readCaptureEvent: Reader = async (_room, resource, now) => {
  const capture = v.parse(captureSchema, resource);
  return charge(capture.custom_id ?? '', captured(capture, now + reviewMs));
};

/** A capture that was pending and is not paid after all. */
const readDenial: Reader = async (_room, resource) =>
  charge(v.parse(v.object({ custom_id: v.optional(v.string(), '') }), resource).custom_id, failed(301));

/** A refund or a reversal, which both name the capture. The charge itself was paid, or nothing could go back. */
const readGivenBack =
  (kind: 'refund' | 'chargeback', stage: Stage): Reader =>
  async (room, resource) => {
    const back = v.parse(givenBackSchema, resource);
    const captureId = linkOf(back, 'up')?.split('/').at(-1) ?? '';
    const key = back.custom_id || (await keyOfCapture(room.db, captureId));
    if (key === undefined) return undefined;
    const answer = paid(captureId);
    const whole = await isWhole(room, key, back);
    // the shop knows refunds of a whole payment only; a part of it, given in PayPal's own pages, is between the people
    if (!whole) room.log.warn({ attemptId: key }, 'PayPal has given a part of a payment back');
    return whole ? { key, kind, stage, answer } : charge(key, answer);
  };

async function isWhole(room: PaypalRoom, key: string, back: v.InferOutput<typeof givenBackSchema>): Promise<boolean> {
  const told = back.seller_payable_breakdown?.total_refunded_amount ?? back.amount;
  const money = told && fromPaypal(told);
  const attempt = await findAttempt(room.db, key);
  return !money || !attempt || money.amount >= attempt.amount || money.currency !== attempt.currency;
}

/** How a dispute ended, seen from the shop (Disputes API v1, `outcome_code`). A payout is PayPal's own money. */
const outcomes: Readonly<Record<string, Stage>> = {
  RESOLVED_BUYER_FAVOUR: 'succeeded',
  ACCEPTED: 'succeeded',
  RESOLVED_SELLER_FAVOUR: 'rejected',
  RESOLVED_WITH_PAYOUT: 'rejected',
  DENIED: 'rejected',
  CANCELED_BY_BUYER: 'cancelled',
  NONE: 'cancelled',
};

const readDispute =
  (opens: boolean): Reader =>
  async (room, resource) => {
    const { disputed_transactions: disputed, dispute_outcome: outcome } = v.parse(disputeSchema, resource);
    const { custom, seller_transaction_id: captureId = '' } = disputed[0] ?? {};
    const key = (await keyOfCapture(room.db, captureId)) ?? custom;
    if (key === undefined) return undefined;
    const code = outcome?.outcome_code ?? '';
    const stage: Stage = opens ? 'opened' : Object.hasOwn(outcomes, code) ? outcomes[code] : undefined;
    return stage ? { key, kind: 'chargeback', stage, answer: paid(captureId) } : charge(key, paid(captureId));
  };

function paid(captureId: string): GatewayAnswer {
  return { state: 'succeeded', ...(/^[\w-]+$/.test(captureId) && { providerRef: captureReference(captureId) }) };
}

/** The events that the shop listens to (developer.paypal.com, "Webhook event names"). */
const readers: Readonly<Record<string, Reader>> = {
  'CHECKOUT.ORDER.APPROVED': readOrderEvent,
  'PAYMENT.CAPTURE.COMPLETED': readCaptureEvent,
  'PAYMENT.CAPTURE.PENDING': readCaptureEvent,
  'PAYMENT.CAPTURE.DENIED': readDenial,
  'PAYMENT.CAPTURE.REFUNDED': readGivenBack('refund', 'succeeded'),
  'PAYMENT.CAPTURE.REVERSED': readGivenBack('chargeback', 'succeeded'),
  'PAYMENT.REFUND.PENDING': readGivenBack('refund', 'opened'),
  'PAYMENT.REFUND.FAILED': readGivenBack('refund', 'rejected'),
  'CUSTOMER.DISPUTE.CREATED': readDispute(true),
  'CUSTOMER.DISPUTE.RESOLVED': readDispute(false),
};

const anyKey = v.object({ custom_id: v.optional(v.string(), '') });

/** What a verified event means. Events that the shop has no use for say nothing about a payment, and are taken. */
export async function readEvent(room: PaypalRoom, event: PaypalEvent, now: number): Promise<GatewayNotice> {
  const { id: eventId, event_type: type, resource } = event;
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const told = await reader?.(room, resource, now);
  const other = v.safeParse(anyKey, resource);
  return { eventId, ...(told ?? charge(other.success ? other.output.custom_id : '', unknown)) };
}
