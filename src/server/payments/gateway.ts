import type * as v from 'valibot';
import type { cardSchema, Payer } from '../../contract/card.ts';
import type { RefusalParams } from '../../contract/envelope.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { NextStep } from '../../contract/next-step.ts';

/** A new card. It lives in memory for one call; no adapter may store or log it. */
export type CardDetails = Readonly<v.InferOutput<typeof cardSchema>>;

export interface AuthorizeRequest {
  /** The attempt's id. A provider charges at most once per key, however often it is asked. */
  readonly key: string;
  readonly brand: string;
  /** Who pays, by an id that says nothing about them: a card that the gateway keeps is kept for them alone. */
  readonly customer?: string | undefined;
  /** Whom the customer sees that they pay. */
  readonly merchantName: string;
  readonly methodCode: string;
  /** Minor units of `currency`, interest included. */
  readonly amount: number;
  readonly currency: string;
  readonly installments: number;
  /** a new card; `card.save` asks the gateway to keep it */
  readonly card?: CardDetails | undefined;
  /** a card that the gateway keeps, with the code that its holder typed just now */
  readonly savedCard?: { readonly token: string; readonly code: string } | undefined;
  /** country code of the number that mobile money is taken from */
  readonly diallingCode?: string | undefined;
  /** where a transfer goes */
  readonly receiver?: { readonly name: string; readonly account: string } | undefined;
  readonly payer: Payer;
  /** Absolute address of the storefront that a page of the bank sends the customer back to. */
  readonly returnUrl: string;
  /** The order's id, for the payer's statement. */
  readonly orderLabel: string;
}

/**
 * - `succeeded`: the money is ours.
 * - `pending`: the customer or the bank has something to do; `next` says what, `expiresAt` until when. Without a `next`
 *   the step stays the one of before.
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
  /** A card that the provider keeps from now on, because the customer wished it. */
  readonly savedCard?: KeptCard | undefined;
  /** Why an act changed nothing, while the payment goes on waiting: a wrong code, for instance. */
  readonly refusal?: { readonly code: ErrorCode; readonly params?: RefusalParams | undefined } | undefined;
  /** Minor units that the provider moved or will move; told where the provider tells it. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
}

/** A card at a gateway, as its owner recognises it. */
export interface KeptCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly codeDigits: number;
}

/** What a customer, or the shop for them, does about a payment that waits ([Note: Payment steps] in the contract). */
export type GatewayAct =
  | { readonly type: 'otp'; readonly code: string }
  /** back from the provider's page: take the money, if the payer has approved it */
  | { readonly type: 'finish' }
  /** a fresh address of the provider's page */
  | { readonly type: 'reopen' }
  | { readonly type: 'coin'; readonly coin: string }
  | { readonly type: 'proof'; readonly objectId: string };

/** What a provider tells on its own. It may come late, twice and in any order. */
export interface GatewayNotice {
  /** Unique per event of the provider; a repeat carries the same one. */
  readonly eventId: string;
  /** The key of `authorize`: the attempt's id. */
  readonly key: string;
  /**
   * `charge`: how the payment stands. A chargeback is money that the bank took back; a refund is money that the shop
   * gives back. Both open, and then succeed, are rejected or cancelled.
   */
  readonly kind: 'charge' | 'chargeback' | 'refund';
  /** of a chargeback or a refund */
  readonly stage?: 'opened' | 'succeeded' | 'rejected' | 'cancelled' | undefined;
  /** how the charge itself stands: a refund is proof of a payment */
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
  /** Whether it can charge by a method in a currency at all. Nobody is offered what it cannot. */
  takes(methodCode: string, currency: string): boolean;
  /** Asks for the money. Safe to repeat with the same key. */
  authorize(request: AuthorizeRequest): Promise<GatewayAnswer>;
  /** What has become of a key. A key that the provider never saw is `failed`, and closed: it cannot be charged later. */
  inquire(key: string): Promise<GatewayAnswer>;
  /** Does the next thing about a payment that waits; safe to repeat. `unknown` for an act that this gateway has not. */
  act(key: string, act: GatewayAct): Promise<GatewayAnswer>;
  /** Ends a payment that nobody wants any more. The answer says how it ended: it may have been paid just before. */
  cancel(key: string): Promise<GatewayAnswer>;
  /** Forgets a card that it keeps. True when it keeps it no longer. */
  forgetCard(token: string): Promise<boolean>;
  /** Gives the whole captured amount back, once per key. True when the provider has done or had done so. */
  refund(key: string): Promise<boolean>;
  /** Reads a signed notice. `now` in epoch milliseconds. Throws `NoticeRefused`. */
  verifyNotice(headers: Headers, rawBody: string, now: number): GatewayNotice | Promise<GatewayNotice>;
}

/** The adapters by the name that `payment_methods.gateway` refers to. */
export type Gateways = Readonly<Record<string, PaymentGateway>>;
