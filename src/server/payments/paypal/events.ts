import * as v from 'valibot';
import type { Money } from '#contract/money.ts';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { captured, failed, unknown } from './answers.ts';
import { fromPaypal } from './currencies.ts';
import { findAttempt, keyOfCapture, captureReference } from './find-attempt.ts';
import type { PaypalDeps } from './orders.ts';
import { readPartName } from './refunds.ts';
import {
  approvedOrderSchema,
  captureSchema,
  disputeSchema,
  refundedAmountSchema,
  linkOf,
  type PaypalEvent,
} from './schemas.ts';

/** What an event tells; `key` empty for a payment that is not this shop's. */
type Told = Omit<GatewayNotice, 'eventId'>;
type Stage = GatewayNotice['stage'];
type Reader = (deps: PaypalDeps, resource: unknown, now: number) => Promise<Told | undefined>;

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
  charge(v.parse(v.object({ custom_id: v.optional(v.string(), '') }), resource).custom_id, failed('cardRejected'));

/** A refund or a reversal, which both name the capture. The charge itself was paid, or nothing could go back. */
const readGivenBack =
  (kind: 'refund' | 'chargeback', stage: Stage): Reader =>
  async (deps, resource) => {
    const back = v.parse(refundedAmountSchema, resource);
    const captureId = linkOf(back, 'up')?.split('/').at(-1) ?? '';
    const own = readPartName(back.custom_id ?? '');
    const key = own?.key ?? (back.custom_id || (await keyOfCapture(deps.db, captureId)));
    if (key === undefined) return undefined;
    const told = { key, kind, stage, answer: paid(captureId) };
    const money = back.amount && fromPaypal(back.amount);
    if (own && money) return { ...told, part: { amount: money.amount, number: own.number } };
    const whole = back.seller_payable_breakdown?.total_refunded_amount;
    const amount = await partOf(deps, key, money, whole && fromPaypal(whole));
    return amount === undefined ? told : { ...told, part: { amount, ref: back.id ?? `${captureId} ${amount}` } };
  };

/** How much of a payment went back, where something is left of it; `all` is what went back until then, where it is told. */
async function partOf(deps: PaypalDeps, key: string, money?: Money, all = money): Promise<number | undefined> {
  const attempt = await findAttempt(deps.db, key);
  if (!money || !all || !attempt || money.currency !== attempt.currency) return undefined;
  return all.amount >= attempt.amount ? undefined : money.amount;
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
  async (deps, resource) => {
    const { disputed_transactions: disputed, dispute_outcome: outcome, ...dispute } = v.parse(disputeSchema, resource);
    const { custom, seller_transaction_id: captureId = '' } = disputed[0] ?? {};
    const key = (await keyOfCapture(deps.db, captureId)) ?? custom;
    if (key === undefined) return undefined;
    const code = outcome?.outcome_code ?? '';
    const stage: Stage = opens ? 'opened' : Object.hasOwn(outcomes, code) ? outcomes[code] : undefined;
    if (!stage) return charge(key, paid(captureId));
    const amount = await partOf(deps, key, dispute.dispute_amount && fromPaypal(dispute.dispute_amount));
    const part = amount === undefined ? {} : { part: { amount, ref: captureId } };
    return { key, kind: 'chargeback', stage, ...part, answer: paid(captureId) };
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

/** Whether an event that cannot be read names a payment of this shop, by its key or by its capture. */
async function isOfThisShop({ db }: PaypalDeps, resource: unknown): Promise<boolean> {
  const text = JSON.stringify(resource);
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].slice(0, 5);
  const found = await Promise.all([
    ...named(/"custom(?:_id)?":"([\w -]{1,127})"/g).map(([, key = '']) =>
      findAttempt(db, readPartName(key)?.key ?? key),
    ),
    ...named(/"(?:seller_transaction_)?id":"([\w -]{1,127})"/g).map(([, capture = '']) => keyOfCapture(db, capture)),
  ]);
  return found.some((one) => one !== undefined);
}

/**
 * What a verified event means. Events that the shop has no use for say nothing about a payment, and are taken. One that cannot
 * be read is taken as well where it is of another product on the account; of a payment of this shop it is refused, so that
 * PayPal sends it again.
 */
export async function readEvent(deps: PaypalDeps, event: PaypalEvent, now: number): Promise<GatewayNotice> {
  const { id: eventId, event_type: type, resource } = event;
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const other = v.safeParse(anyKey, resource);
  const told = await reader?.(deps, resource, now).catch(async (error: unknown) => {
    if (!v.isValiError(error)) throw error;
    deps.log.error({ eventId, type }, 'an event of PayPal cannot be read');
    if (await isOfThisShop(deps, resource)) throw new NoticeRefused('what the event is about cannot be read');
    return undefined;
  });
  return { eventId, ...(told ?? charge(other.success ? other.output.custom_id : '', unknown)) };
}
