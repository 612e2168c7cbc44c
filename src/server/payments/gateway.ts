import type * as v from 'valibot';
import type { cardSchema, Payer } from '../../contract/card.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { NextStep } from '../../contract/next-step.ts';

/** A new card. It lives in memory for one call; no adapter may store or log it. */
export type CardDetails = Readonly<v.InferOutput<typeof cardSchema>>;

export interface AuthorizeRequest {
  /** The attempt's id. A provider charges at most once per key, however often it is asked. */
  readonly key: string;
  readonly brand: string;
  /** Whom the customer sees that they pay. */
  readonly merchantName: string;
  readonly methodCode: string;
  /** Minor units of `currency`, interest included. */
  readonly amount: number;
  readonly currency: string;
  readonly installments: number;
  readonly card?: CardDetails | undefined;
  readonly payer: Payer;
  /** Absolute address of the storefront that a page of the bank sends the customer back to. */
  readonly returnUrl: string;
  /** The order's id, for the payer's statement. */
  readonly orderLabel: string;
}

/**
 * - `succeeded`: the money is ours.
 * - `pending`: the customer or the bank has something to do; `next` says what, `expiresAt` until when.
 * - `failed`: no money moved and none will for this key; `failureCode` says why.
 * - `expired`: the customer let the time pass. Money may still come late, by a notice.
 * - `unknown`: no answer, or one cut short. Nothing may be concluded from it: ask again with `inquire`.
 */
export type GatewayState = 'succeeded' | 'pending' | 'failed' | 'expired' | 'unknown';

export interface GatewayAnswer {
  readonly state: GatewayState;
  /** The provider's own id of the payment. */
  readonly providerRef?: string | undefined;
  readonly next?: NextStep | undefined;
  readonly failureCode?: ErrorCode | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt?: number | undefined;
  /** Minor units that the provider moved or will move; told where the provider tells it. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
}

/** What a provider tells on its own. It may come late, twice and in any order. */
export interface GatewayNotice {
  /** Unique per event of the provider; a repeat carries the same one. */
  readonly eventId: string;
  /** The key of `authorize`: the attempt's id. */
  readonly key: string;
  /** `chargeback`: the bank has taken the money back. */
  readonly kind: 'charge' | 'chargeback';
  readonly answer: GatewayAnswer;
}

/** A notice that is not the provider's, is older than five minutes, or cannot be read. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}

/**
 * The port to a payment provider; one adapter per provider. No method throws for what a provider or a network does:
 * an outage is the state `unknown`.
 */
export interface PaymentGateway {
  /** Asks for the money. Safe to repeat with the same key. */
  authorize(request: AuthorizeRequest): Promise<GatewayAnswer>;
  /** What has become of a key. A key that the provider never saw is `failed`, and closed: it cannot be charged later. */
  inquire(key: string): Promise<GatewayAnswer>;
  /** Gives the whole captured amount back, once per key. True when the provider has done or had done so. */
  refund(key: string): Promise<boolean>;
  /** Reads a signed notice. `now` in epoch milliseconds. Throws `NoticeRefused`. */
  verifyNotice(headers: Headers, rawBody: string, now: number): GatewayNotice;
}

/** The adapters by the name that `payment_methods.gateway` refers to. */
export type Gateways = Readonly<Record<string, PaymentGateway>>;
