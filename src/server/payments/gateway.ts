import type * as v from 'valibot';
import type { cardSchema, Payer } from '#contract/card.ts';
import type { PaymentFailure } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import type { ConfirmingProvider, NextStep } from '#contract/next-step.ts';
import type { MethodTerms, PartialRefund, RefundAnswer, StepRefusal, ProviderCheck } from './terms.ts';

/** A new card. It stays in memory for one call; no adapter may store or log it. */
export type CardDetails = Readonly<v.InferOutput<typeof cardSchema>>;

export interface AuthoriseRequest {
  /** The attempt's ID. A provider charges at most once per key, however often it is called. */
  readonly key: string;
  readonly brand: string;
  /** The payer, by an opaque ID. A card that the gateway saves can be used for this customer only. */
  readonly customer?: string | undefined;
  /** The name of the payee, as the customer sees it. */
  readonly merchantName: string;
  readonly methodCode: string;
  /** Minor units of `currency`, interest included. */
  readonly amount: number;
  readonly currency: string;
  readonly installments: number;
  /** a new card; `card.save` requests that the gateway saves it */
  readonly card?: CardDetails | undefined;
  /** a card saved at the gateway, with the security code that its holder has just typed, if the gateway requires it */
  readonly savedCard?: { readonly token: string; readonly code?: string | undefined } | undefined;
  /** the card that is typed on the provider's own page is to be saved */
  readonly savesCard?: boolean | undefined;
  /** the country calling code of the number that mobile money is taken from */
  readonly diallingCode?: string | undefined;
  /** the provider's own name of the method, if the brand configures one */
  readonly pmId?: string | undefined;
  /** the payer's email and IP address, for a provider that requires them; they are not stored */
  readonly email?: string | undefined;
  readonly ip?: string | undefined;
  /** the receiver of a transfer */
  readonly receiver?:
    | { readonly name: string; readonly account: string; readonly checkedWithinHours?: number }
    | undefined;
  readonly payer: Payer;
  /** Absolute address of the storefront to which a page of the bank redirects the customer. */
  readonly returnUrl: string;
  /** The order's ID, for the payer's statement. */
  readonly orderLabel: string;
}

/** A charge of a saved card that the server makes without the customer. */
export type SavedCardCharge = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'amount' | 'currency' | 'orderLabel'
> & { readonly token: string };

/** A new card that is to be saved without a payment. */
export type CardToSave = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'payer'
> & {
  readonly card: CardDetails;
  /** the currency in which it will be charged */
  readonly currency: string;
};

/**
 * A request for the card page of a provider: no card passes through the server, neither to pay nor to be saved. The
 * gateway declares it in `terms`; the method then requires `cardPage` instead of `card`, and `storeCard` is not used.
 *
 * A card is saved in two steps: `openCardPage` returns an address, and after the redirect `takeCard` returns the card
 * by the provider's ID of the visit. The provider stores the card's owner.
 */
export type CardPageRequest = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'currency'
> & {
  readonly language: Language;
  /** absolute address for the redirect back; `{visit}` in its `cardVisit` is the provider's ID of the visit */
  readonly returnUrl: string;
};

/** `unknown`: no response; nothing is saved, and the request may be repeated. */
export type CardPage =
  | { readonly state: 'open'; readonly url: string }
  | { readonly state: 'refused'; readonly failure: PaymentFailure }
  | { readonly state: 'unknown' };

/** `unknown`: no response; the card may be saved or not, and the same key may be repeated. */
export type SaveCardAnswer =
  | { readonly state: 'saved'; readonly savedCard: GatewayCard }
  | { readonly state: 'refused'; readonly failure: PaymentFailure }
  | { readonly state: 'unknown' };

/**
 * - `succeeded`: the money is ours.
 * - `pending`: waits for the customer or the bank; `next` is the step and `expiresAt` its end. Without a `next` the
 *   previous step stays valid.
 * - `failed`: no money moved and none will for this key; `failure` is the reason.
 * - `expired`: the customer did not pay in time. Money may still come late, by a notice.
 * - `unknown`: no complete response. Nothing may be concluded from it: call `inquire` later.
 */
type GatewayState = 'succeeded' | 'pending' | 'failed' | 'expired' | 'unknown';

export interface GatewayAnswer {
  readonly state: GatewayState;
  /** The provider's own ID of the payment. */
  readonly providerRef?: string | undefined;
  readonly next?: NextStep | undefined;
  readonly failure?: PaymentFailure | undefined;
  /** For a saved card that failed in the customer's absence: the bank may accept it after authentication. */
  readonly asksHolder?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt?: number | undefined;
  /** A card that the provider saved at the customer's request. */
  readonly savedCard?: GatewayCard | undefined;
  /** Why a step changed nothing while the payment continues to wait, such as a wrong code. */
  readonly refusal?: StepRefusal | undefined;
  /** For a pending redirect: the provider states that nothing was paid. */
  readonly unpaid?: boolean | undefined;
  /** Minor units that the provider moved or will move, if it reports them. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
}

/**
 * A card at a gateway, as its owner recognises it, or an account that is charged like a card: `account` is its masked
 * name, `last4` is empty, and it does not expire (`accountExpiry`).
 */
export interface GatewayCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly account?: string | undefined;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly codeDigits: number;
}

/** What a notice says about a saved card: saved after its payment, or removed by its owner at the provider. */
export type CardNotice = { readonly saved: GatewayCard } | { readonly removed: readonly string[] };

/** In minor units. `number`: a part that this shop requested; `ref`: the provider's ID of one from its dashboard. */
export type NoticePart = { readonly amount: number } & ({ readonly number: number } | { readonly ref: string });

/** A notice from a provider. It may come late, twice and in any order. */
export interface GatewayNotice {
  /** Unique per event of the provider; a repeated notice has the same ID. `key` as in `authorise`: the attempt's ID. */
  readonly eventId: string;
  readonly key: string;
  /** `charge`: the state of the payment. A chargeback is money that the bank took back, a refund what the shop returns. */
  readonly kind: 'charge' | 'chargeback' | 'refund';
  /** of a chargeback or a refund */
  readonly stage?: 'opened' | 'succeeded' | 'rejected' | 'cancelled' | undefined;
  /** of a refund of less than was paid */
  readonly part?: NoticePart | undefined;
  /** of a chargeback: what the bank took, in minor units, if the provider names it in the currency of the payment */
  readonly disputed?: number | undefined;
  /** of an opened chargeback: until when the provider accepts evidence, in epoch milliseconds */
  readonly respondBy?: number | undefined;
  /** when the provider made the event, in epoch milliseconds, where it says so */
  readonly createdAt?: number | undefined;
  /** instead of a payment: a card that was saved for the payment `key`, or the tokens of removed cards */
  readonly card?: CardNotice | undefined;
  /** the state of the charge itself: a refund proves a payment */
  readonly answer: GatewayAnswer;
}

/** A notice that is forged, older than five minutes, or unreadable. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}

/**
 * The port to a payment provider; one adapter per provider. No method throws for an error of a provider or a network:
 * an outage is the state `unknown`. Every method is safe to repeat. Optional methods are capabilities of some
 * providers only: an adapter omits what it cannot do, and callers refuse if it is missing.
 *
 * Methods with a `key` are about a payment that was passed to `authorise`, by the attempt's ID.
 */
export interface PaymentGateway {
  /** Whether it can charge by a method in a currency; nothing else is offered. `pmId` as in `AuthoriseRequest`. */
  takes(methodCode: string, currency: string, pmId?: string): boolean;
  /** What differs for a method for which `takes` is true. */
  terms?(methodCode: string, currency: string): MethodTerms;
  /** Charges or starts a payment. The same key charges at most once. */
  authorise(request: AuthoriseRequest): Promise<GatewayAnswer>;
  /** The state of a key. A key that the provider never received is `failed` and closed: it cannot be charged later. */
  inquire(key: string): Promise<GatewayAnswer>;
  /** Cancels a payment. The result is how it ended: it may have been paid just before. */
  cancel(key: string): Promise<GatewayAnswer>;
  /** Refunds are transferred by the brand's staff; `refund` only records them. */
  readonly refundsByHand?: true;
  /**
   * Refunds the whole captured amount, or the `left` minor units that remain after partial refunds; once per key. True
   * if the provider refunds or has refunded it.
   */
  refund(key: string, left?: number): Promise<RefundAnswer>;
  /**
   * Refunds a part, once per key and number, however often it is called. Omitted if a provider refunds only the whole,
   * or could refund a part twice on a repeated call: then no partial refund is offered.
   */
  refundPart?(part: PartialRefund): Promise<RefundAnswer>;
  /** Captures an approved payment after the customer's return from the provider's page. */
  confirm?(key: string): Promise<GatewayAnswer>;
  /** A new address of the provider's page, for a customer who has left it. */
  reopen?(key: string): Promise<GatewayAnswer>;
  /** Submits the code that the provider has sent to the payer. A wrong code is a `refusal`. */
  submitCode?(key: string, code: string): Promise<GatewayAnswer>;
  /** Submits a proof of payment, by the ID of the uploaded file. */
  submitProof?(key: string, objectId: string): Promise<GatewayAnswer>;
  /** Selects the coin to pay with, from the options of the step. */
  chooseCoin?(key: string, coin: string): Promise<GatewayAnswer>;

  /**
   * Charges a saved card in the holder's absence, under the holder's earlier agreement; at most once per key, as with
   * `authorise`. An authentication request of the bank counts as a decline (`asksHolder`). A card that its network
   * replaced is returned as `savedCard`.
   */
  chargeSaved?(charge: SavedCardCharge): Promise<GatewayAnswer>;
  /** Verifies a new card with its bank, without a charge, and saves it for its customer. Safe to repeat by its key. */
  storeCard?(request: CardToSave): Promise<SaveCardAnswer>;
  /** Opens the provider's page for a card or an account that is to be saved without a payment. */
  openCardPage?(request: CardPageRequest): Promise<CardPage>;
  /** What a customer saved on that page. Refuses a visit of another customer, or one without a card or account. */
  takeCard?(visit: string, owner: Pick<CardPageRequest, 'brand' | 'customer'>): Promise<SaveCardAnswer>;
  /** Deletes a saved card. True if the provider no longer has it. */
  removeStoredCard?(token: string): Promise<boolean>;
  /**
   * Whether the provider accepts this shop's credentials, for the operator command `doctor`. A read without effects
   * that may be repeated. An outage is a result (`isReachable: false`), never an error.
   */
  check?(): Promise<ProviderCheck>;
  /** whether `verifyNotice` calls the provider; forged notices must not cause many calls */
  readonly isNoticeVerifiedByCall?: true;
  /**
   * Verifies and parses a notice. `now` is in epoch milliseconds, `secret` is from the address that a provider without
   * signatures calls. Undefined for a genuine notice that is about no payment of this shop. Throws `NoticeRefused`.
   */
  verifyNotice?(headers: Headers, rawBody: string, now: number, secret?: string): Promise<GatewayNotice | undefined>;
}

/** A gateway whose payer is redirected to a page of the provider and comes back. */
export type ReturningGateway = PaymentGateway & Required<Pick<PaymentGateway, 'confirm' | 'reopen'>>;

/**
 * The adapters by the name in `payment_methods.gateway`. A name for which the contract has an endpoint for the return
 * from the provider's page requires an adapter that can continue there.
 */
export type Gateways = Readonly<Record<string, PaymentGateway>> & {
  readonly [Name in ConfirmingProvider]?: ReturningGateway;
};
