import type { PaymentFailure } from '#contract/error-codes.ts';
import {
  NoticeRefused,
  type AuthoriseRequest,
  type CardToSave,
  type GatewayAnswer,
  type GatewayNotice,
  type SaveCardAnswer,
  type GatewayCard,
  type PaymentGateway,
  type SavedCardCharge,
} from '#server/payments/gateway.ts';
import type { SeededRandom } from '../seeded-random.ts';

const second = 1000;
const minute = 60 * second;

/** The behavior of a card when the shop charges it automatically. */
const troubles = ['pays', 'sometimes', 'refused', 'asks', 'loses', 'away', 'late', 'replaced', 'ends'] as const;
type Mood = (typeof troubles)[number];
/** Most cards pay; the others have each of the behaviors. */
const usual: readonly Mood[] = [...Array.from({ length: 27 }, () => 'pays' as const), ...troubles];

interface Card {
  readonly uid: string;
  mood: Mood;
  /** the card is invalid, because its network has replaced it */
  isGone: boolean;
  isForgotten: boolean;
}

/** A charge in the books of the bank. */
export interface Charge {
  readonly key: string;
  readonly uid: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
  /** an automatic charge of the shop */
  readonly own: boolean;
  state: 'paid' | 'waiting' | 'failed';
  code?: PaymentFailure;
  asksHolder?: boolean;
  /** for a pending charge: when it is paid */
  ripeAt?: number;
  kept?: GatewayCard;
}

export interface Bank {
  readonly gateway: PaymentGateway;
  /** all charges by the keys of the shop */
  readonly charges: ReadonlyMap<string, Charge>;
  /** the customers whose cards it has stored, without replaced cards */
  remembered(): ReadonlySet<string>;
  /** the newest paid charge of a customer that was neither refunded nor disputed */
  newestOf(uid: string): Charge | undefined;
  /** records an earlier purchase */
  paidBefore(charge: Pick<Charge, 'key' | 'uid' | 'amount' | 'currency' | 'at'>): void;
  newCard(uid: string, mood?: Mood): GatewayCard;
  /** the pending charges that are paid now and whose notices are due */
  ripe(): Charge[];
  /** refunds or disputes a charge */
  reversePayment(key: string): void;
}

interface BankOptions {
  readonly chance: SeededRandom;
  readonly clock: () => number;
  /** the behaviors of new cards, as often as they are listed; by default mostly paying ones */
  readonly moods?: readonly Mood[];
  /** is called for every automatic charge, before its answer */
  readonly watch: (charge: Charge) => void;
}

/** The delay of a late payment: sometimes the shop inquires before the notice, sometimes after it. */
const laterMs = 20 * minute;

/** A bank in memory that gives every answer of the gateway port, with books of its own. */
export function openBank({ chance, clock, watch, moods = usual }: BankOptions): Bank {
  const cards = new Map<string, Card>();
  const charges = new Map<string, Charge>();
  const newest = new Map<string, Charge>();
  const waiting = new Set<Charge>();
  let cardCount = 0;

  const newCard = (uid: string, mood: Mood = chance.pick(moods)): GatewayCard => {
    cardCount += 1;
    const token = `card-${cardCount}`;
    cards.set(token, { uid, mood, isGone: false, isForgotten: false });
    const year = new Date(clock()).getUTCFullYear();
    const expiryYear = mood === 'ends' ? year : year + 6;
    return {
      token,
      brand: 'visa',
      last4: String(cardCount % 10_000).padStart(4, '0'),
      expiryMonth: 12,
      expiryYear,
      codeDigits: 3,
    };
  };
  const record = (charge: Charge): Charge => {
    charges.set(charge.key, charge);
    if (charge.state === 'paid') newest.set(charge.uid, charge);
    if (charge.state === 'waiting') waiting.add(charge);
    return charge;
  };
  const settleIfDue = (charge: Charge): Charge => {
    if (charge.state !== 'waiting' || (charge.ripeAt ?? 0) > clock()) return charge;
    charge.state = 'paid';
    waiting.delete(charge);
    newest.set(charge.uid, charge);
    return charge;
  };
  const newCharge = (key: string, uid: string, money: { amount: number; currency: string }, own: boolean): Charge => ({
    ...money,
    key,
    uid,
    own,
    at: clock(),
    state: 'paid',
  });

  /** Decides the result of an automatic charge once; undefined when the request does not reach the bank. */
  const decide = ({ key, customer = '', token, amount, currency }: SavedCardCharge): Charge | undefined => {
    const card = cards.get(token);
    const charge = newCharge(key, customer, { amount, currency }, true);
    const failed = (code: PaymentFailure, more: Partial<Charge> = {}): Charge => ({
      ...charge,
      ...more,
      state: 'failed',
      code,
    });
    if (!card || card.isGone || card.isForgotten || card.uid !== customer) return failed('invalidCard');
    switch (card.mood) {
      case 'sometimes':
        return chance.is(0.5) ? failed('insufficientFunds') : charge;
      case 'refused':
        return failed('cardRejected');
      case 'ends':
        return failed('cardExpired');
      case 'asks':
        return failed('rejectedByBank', { asksHolder: true });
      case 'away':
        return chance.is(0.5) ? undefined : charge;
      case 'late':
        return { ...charge, state: 'waiting', ripeAt: clock() + laterMs };
      case 'replaced': {
        card.isGone = true;
        return { ...charge, kept: newCard(customer, 'pays') };
      }
      case 'pays':
      case 'loses':
        return charge;
    }
  };
  const answerOf = (charge: Charge): GatewayAnswer => {
    const { key, amount, currency, state, code, asksHolder, kept } = settleIfDue(charge);
    if (state === 'failed') return { state, failure: code, asksHolder };
    if (state === 'waiting') return { state: 'pending', next: { type: 'none' }, providerRef: key };
    return { state: 'succeeded', providerRef: key, amount, currency, savedCard: kept };
  };
  /** Closes an unknown key, so that later requests with it charge nothing. */
  const inquire = async (key: string): Promise<GatewayAnswer> =>
    answerOf(
      charges.get(key) ??
        record({ ...newCharge(key, '', { amount: 0, currency: '' }, false), state: 'failed', code: 'paymentFailed' }),
    );

  const chargeSaved = async (asked: SavedCardCharge): Promise<GatewayAnswer> => {
    const known = charges.get(asked.key);
    if (known) return answerOf(known);
    const charge = decide(asked);
    if (!charge) return { state: 'unknown' };
    watch(charge);
    record(charge);
    return cards.get(asked.token)?.mood === 'loses' ? { state: 'unknown' } : answerOf(charge);
  };
  const authorise = async ({
    key,
    customer = '',
    amount,
    currency,
    card,
  }: AuthoriseRequest): Promise<GatewayAnswer> => {
    const known = charges.get(key);
    if (known) return answerOf(known);
    const charge = newCharge(key, customer, { amount, currency }, false);
    if (chance.is(0.05)) return answerOf(record({ ...charge, state: 'failed', code: 'insufficientFunds' }));
    return answerOf(record({ ...charge, ...(card?.save && { kept: newCard(customer) }) }));
  };
  const storeCard = async ({ customer = '' }: CardToSave): Promise<SaveCardAnswer> => {
    if (chance.is(0.1)) return { state: 'refused', failure: 'cardRejected' };
    return chance.is(0.05) ? { state: 'unknown' } : { state: 'saved', savedCard: newCard(customer) };
  };
  const reversePayment = (key: string): void => {
    const charge = charges.get(key);
    if (!charge) return;
    if (newest.get(charge.uid) === charge) newest.delete(charge.uid);
  };

  return {
    charges,
    newCard,
    reversePayment,
    remembered: () => {
      const stored = [...cards.values()].filter(({ isGone, isForgotten }) => !isGone && !isForgotten);
      return new Set(stored.map(({ uid }) => uid));
    },
    newestOf: (uid) => newest.get(uid),
    paidBefore: (charge) => void record({ ...charge, own: false, state: 'paid' }),
    ripe: () => [...waiting].filter((charge) => settleIfDue(charge).state === 'paid'),
    gateway: {
      takes: () => true,
      authorise,
      inquire,
      cancel: inquire,
      chargeSaved,
      storeCard,
      removeStoredCard: async (token) => {
        if (chance.is(0.1)) return false;
        const card = cards.get(token);
        if (card) card.isForgotten = true;
        return true;
      },
      refund: async (key) => {
        reversePayment(key);
        return true;
      },
      verifyNotice: async (_headers, body) => {
        const { kind, stage, key, eventId } = JSON.parse(body) as Told; // as: what `tellOf` wrote
        const charge = charges.get(key);
        if (!charge) throw new NoticeRefused('unknown charge');
        return { eventId, key, kind, stage, answer: answerOf(charge) };
      },
    },
  };
}

type Told = Pick<GatewayNotice, 'kind' | 'stage' | 'key' | 'eventId'>;

/** The body of a notice to the shop. */
export function tellOf(told: Told): string {
  return JSON.stringify(told);
}
