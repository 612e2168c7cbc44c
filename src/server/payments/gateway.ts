import type * as v from 'valibot';
import type { cardSchema, Payer } from '#contract/card.ts';
import type { PaymentFailure } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import type { Finisher, NextStep } from '#contract/next-step.ts';
import type { MethodTerms, PartialRefund, RefundAnswer, StepRefusal } from './terms.ts';

/** A new card. It lives in memory for one call; no adapter may store or log it. */
export type CardDetails = Readonly<v.InferOutput<typeof cardSchema>>;

export interface AuthoriseRequest {
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
  /** a card that the gateway keeps, with the code that its holder typed just now; none where its gateway asks for none */
  readonly savedCard?: { readonly token: string; readonly code?: string | undefined } | undefined;
  /** the card that is typed at the provider's own page is to be kept ([Note: Card page]) */
  readonly keepsCard?: boolean | undefined;
  /** country code of the number that mobile money is taken from */
  readonly diallingCode?: string | undefined;
  /** the method by the provider's own name, where the brand tells one */
  readonly pmId?: string | undefined;
  /** the payer's address of mail and on the network, for a provider that will not do without; they are kept nowhere */
  readonly email?: string | undefined;
  readonly ip?: string | undefined;
  /** where a transfer goes */
  readonly receiver?:
    | { readonly name: string; readonly account: string; readonly checkedWithinHours?: number }
    | undefined;
  readonly payer: Payer;
  /** Absolute address of the storefront that a page of the bank sends the customer back to. */
  readonly returnUrl: string;
  /** The order's id, for the payer's statement. */
  readonly orderLabel: string;
}

/** A charge that the shop makes by itself, of a card that the gateway keeps. */
export type SavedCardCharge = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'amount' | 'currency' | 'orderLabel'
> & { readonly token: string };

/** A new card that is to be kept without paying. */
export type CardToSave = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'payer'
> & {
  readonly card: CardDetails;
  /** in which it will be charged */
  readonly currency: string;
};

/**
 * [Note: Card page] Where a provider takes cards at a page of its own, no card passes through the shop: neither to pay nor
 * to be kept. Its gateway says so by `terms`, the method then asks for `cardPage` in place of `card`, and `storeCard` has no
 * place. A new card is kept in two steps instead: `openCardPage` answers an address, and when the customer is back from it,
 * `takeCard` tells which card they have left there, by the provider's own name for that visit. The provider stores its owner.
 */
export type CardPageRequest = Pick<
  AuthoriseRequest,
  'key' | 'brand' | 'customer' | 'merchantName' | 'methodCode' | 'currency'
> & {
  readonly language: Language;
  /** absolute address that the customer comes back to; `{visit}` in it becomes the provider's name for the visit */
  readonly returnUrl: string;
};

/** `unknown`: no answer; nothing is kept, and it may be asked for again. */
export type CardPage =
  | { readonly state: 'open'; readonly url: string }
  | { readonly state: 'refused'; readonly failure: PaymentFailure }
  | { readonly state: 'unknown' };

/** `unknown`: no answer; the card may be kept or not, and the same key asks again. */
export type KeepAnswer =
  | { readonly state: 'kept'; readonly savedCard: GatewayCard }
  | { readonly state: 'refused'; readonly failure: PaymentFailure }
  | { readonly state: 'unknown' };

/**
 * - `succeeded`: the money is ours.
 * - `pending`: the customer or the bank has something to do; `next` says what, `expiresAt` until when. Without a `next`
 *   the step stays the one of before.
 * - `failed`: no money moved and none will for this key; `failure` says why.
 * - `expired`: the customer let the time pass. Money may still come late, by a notice.
 * - `unknown`: no answer, or one cut short. Nothing may be concluded from it: ask again with `inquire`.
 */
export type GatewayState = 'succeeded' | 'pending' | 'failed' | 'expired' | 'unknown';

export interface GatewayAnswer {
  readonly state: GatewayState;
  /** The provider's own id of the payment. */
  readonly providerRef?: string | undefined;
  readonly next?: NextStep | undefined;
  readonly failure?: PaymentFailure | undefined;
  /** Of a saved card that failed while its holder was away: the bank wants to ask them, and then may pay. */
  readonly asksHolder?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt?: number | undefined;
  /** A card that the provider keeps from now on, because the customer wished it. */
  readonly savedCard?: GatewayCard | undefined;
  /** Why a step changed nothing, while the payment goes on waiting: a wrong code, for instance. */
  readonly refusal?: StepRefusal | undefined;
  /** Of a pending redirect: the provider states that nothing was paid. */
  readonly unpaid?: boolean | undefined;
  /** Minor units that the provider moved or will move, where it tells. */
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
}

/** A card at a gateway, as its owner recognises it. */
export interface GatewayCard {
  readonly token: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly codeDigits: number;
}

export type NoticePart = { readonly amount: number } & ({ readonly number: number } | { readonly ref: string });

/** What a provider tells on its own. It may come late, twice and in any order. */
export interface GatewayNotice {
  /** Unique per event of the provider; a repeat carries the same one. */
  readonly eventId: string;
  /** The key of `authorise`: the attempt's id. */
  readonly key: string;
  /**
   * `charge`: how the payment stands. A chargeback is money that the bank took back; a refund is money that the shop
   * gives back. Both open, and then succeed, are rejected or cancelled.
   */
  readonly kind: 'charge' | 'chargeback' | 'refund';
  /** of a chargeback or a refund */
  readonly stage?: 'opened' | 'succeeded' | 'rejected' | 'cancelled' | undefined;
  /**
   * Of a reversal of less than was paid: how much, in minor units. Of a refund also which one it is: by its number where
   * this shop has asked for it, by the provider's name for it where it was given at the provider's own desk.
   */
  readonly part?: NoticePart | undefined;
  /** how the charge itself stands: a refund is proof of a payment */
  readonly answer: GatewayAnswer;
}

/**
 * What came of asking a provider whether it knows this shop. `says` is one line for an operator: which account was met, or
 * what is wrong and which variable mends it. It never holds a secret or what the provider wrote.
 */
export interface ProviderCheck {
  readonly works: boolean;
  readonly says: string;
}

/** A notice that is not the provider's, is older than five minutes, or cannot be read. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}

/**
 * The port to a payment provider; one adapter per provider. No method throws for what a provider or a network does:
 * an outage is the state `unknown`. Every method is safe to repeat. Those with a `?` are capabilities that only some
 * providers have: an adapter leaves out what it cannot do, and who needs one refuses where it is missing.
 *
 * Methods with a `key` speak of a payment that `authorise` was asked for, by the attempt's id.
 */
export interface PaymentGateway {
  /**
   * Whether it can charge by a method in a currency at all. Nobody is offered what it cannot. `pmId` as in
   * `AuthoriseRequest`.
   */
  takes(methodCode: string, currency: string, pmId?: string): boolean;
  /** What is different about a method of which `takes` is true. */
  terms?(methodCode: string, currency: string): MethodTerms;
  /** Asks for the money. The same key charges at most once. */
  authorise(request: AuthoriseRequest): Promise<GatewayAnswer>;
  /** What has become of a key. A key that the provider never saw is `failed`, and closed: it cannot be charged later. */
  inquire(key: string): Promise<GatewayAnswer>;
  /** Ends a payment that nobody wants any more. The answer says how it ended: it may have been paid just before. */
  cancel(key: string): Promise<GatewayAnswer>;
  /** People send refunds themselves, and `refund` is a note in our own books. */
  readonly refundsByHand?: true;
  /**
   * Gives back the whole captured amount, or `left` minor units, all that is left of it after parts went back; once per
   * key. True when the provider has done or had done so.
   */
  refund(key: string, left?: number): Promise<RefundAnswer>;
  /**
   * Gives back a part, once per key and number, however often it is asked. Left out where a provider gives back the whole
   * only, or could not be asked for a part twice without giving it twice: then nobody is promised one.
   */
  refundPart?(part: PartialRefund): Promise<RefundAnswer>;
  /** The customer is back from the provider's page: takes the money, if they have approved it. */
  confirm?(key: string): Promise<GatewayAnswer>;
  /** A fresh address of the provider's page, for a customer who has left it. */
  reopen?(key: string): Promise<GatewayAnswer>;
  /** Hands in the code that the provider has sent to the payer. A wrong one is a `refusal`. */
  submitCode?(key: string, code: string): Promise<GatewayAnswer>;
  /** Hands in a proof that the payer has paid, by the id of the uploaded file. */
  submitProof?(key: string, objectId: string): Promise<GatewayAnswer>;
  /** Chooses the coin that the payer wants to send, from the options of the step. */
  chooseCoin?(key: string, coin: string): Promise<GatewayAnswer>;

  /**
   * Charges a card that it keeps while its holder is not there, as they have agreed before. The same key charges at most
   * once, as with `authorise`. Nobody can answer a question of the bank, so a bank that asks one has declined
   * (`asksHolder`). A card that was replaced by its network comes back as the answer's `savedCard`.
   */
  chargeSaved?(charge: SavedCardCharge): Promise<GatewayAnswer>;
  /** Verifies a new card with its bank, without a charge, and keeps it for its customer. Safe to repeat by its key. */
  storeCard?(request: CardToSave): Promise<KeepAnswer>;
  /** Opens the provider's page for a card that is to be kept without paying ([Note: Card page]). */
  openCardPage?(request: CardPageRequest): Promise<CardPage>;
  /** Which card a customer has left at that page. A visit that is not theirs, or has kept none, is refused. */
  takeCard?(visit: string, owner: Pick<CardPageRequest, 'brand' | 'customer'>): Promise<KeepAnswer>;
  /** Forgets a card that it keeps. True when it keeps it no longer. */
  removeStoredCard?(token: string): Promise<boolean>;
  /**
   * Whether the provider takes this shop's credentials: a harmless read that changes nothing and may be repeated, for
   * `operator -- doctor`. An outage is an answer like any other (`works: false`), never an error.
   */
  check?(): Promise<ProviderCheck>;
  /** whether `verifyNotice` costs a call to the provider, of which forged notices must not cause many */
  readonly isNoticeVerifiedByCall?: true;
  /**
   * Reads a signed notice; `now` in epoch milliseconds, `secret` from the address of a provider that signs nothing.
   * Undefined for the provider's own notice of no payment of this shop. Throws `NoticeRefused`.
   */
  verifyNotice?(headers: Headers, rawBody: string, now: number, secret?: string): Promise<GatewayNotice | undefined>;
}

/** A gateway whose payer goes to a page of the provider, and is waited for. */
export type ReturningGateway = PaymentGateway & Required<Pick<PaymentGateway, 'confirm' | 'reopen'>>;

/**
 * The adapters by the name that `payment_methods.gateway` refers to. Where the contract has a call for the way back from a
 * provider's page, only an adapter that can go on there fits the name.
 */
export type Gateways = Readonly<Record<string, PaymentGateway>> & { readonly [Name in Finisher]?: ReturningGateway };
