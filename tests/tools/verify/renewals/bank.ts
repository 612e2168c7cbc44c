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

/** What a card does when the shop charges it by itself. */
const troubles = ['pays', 'sometimes', 'refused', 'asks', 'loses', 'away', 'late', 'replaced', 'ends'] as const;
export type Mood = (typeof troubles)[number];
/** Most cards pay; the rest have every trouble that there is. */
const usual: readonly Mood[] = [...Array.from({ length: 27 }, () => 'pays' as const), ...troubles];

interface Card {
  readonly uid: string;
  mood: Mood;
  /** the bank knows it no longer: its network has given its holder another one */
  isGone: boolean;
  isForgotten: boolean;
}

/** A charge as the bank has it. */
export interface Charge {
  readonly key: string;
  readonly uid: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
  /** made by the shop, while its holder was away */
  readonly own: boolean;
  state: 'paid' | 'waiting' | 'failed';
  code?: PaymentFailure;
  asksHolder?: boolean;
  /** of one that waits: when it is paid */
  ripeAt?: number;
  kept?: GatewayCard;
}

export interface Bank {
  readonly gateway: PaymentGateway;
  /** what was asked for, by the keys of the shop */
  readonly charges: ReadonlyMap<string, Charge>;
  /** whose cards it has; those that their network took back do not count */
  remembered(): ReadonlySet<string>;
  /** the newest charge of a customer that was paid, and neither given back nor disputed */
  newestOf(uid: string): Charge | undefined;
  /** writes down a purchase of before */
  paidBefore(charge: Pick<Charge, 'key' | 'uid' | 'amount' | 'currency' | 'at'>): void;
  newCard(uid: string, mood?: Mood): GatewayCard;
  /** charges that have become paid since, and whose notice is to be sent */
  ripe(): Charge[];
  /** its holder has the money again, or disputes it */
  reversePayment(key: string): void;
}

interface BankOptions {
  readonly chance: SeededRandom;
  readonly clock: () => number;
  /** what new cards are like, each as often as it is named; every trouble that there is where nothing is told */
  readonly moods?: readonly Mood[];
  /** is told of every charge that the shop makes by itself, before it is answered */
  readonly watch: (charge: Charge) => void;
}

/** How long a bank that pays later takes: sometimes the shop asks before, sometimes the notice is first. */
const laterMs = 20 * minute;

/** A bank in memory, which plays every answer of the port, and keeps books that the shop cannot touch. */
export function openBank({ chance, clock, watch, moods = usual }: BankOptions): Bank {
  const cards = new Map<string, Card>();
  const charges = new Map<string, Charge>();
  const newest = new Map<string, Charge>();
  const waiting = new Set<Charge>();
  let made = 0;

  const newCard = (uid: string, mood: Mood = chance.pick(moods)): GatewayCard => {
    made += 1;
    const token = `card-${made}`;
    cards.set(token, { uid, mood, isGone: false, isForgotten: false });
    const year = new Date(clock()).getUTCFullYear();
    const expiryYear = mood === 'ends' ? year : year + 6;
    return {
      token,
      brand: 'visa',
      last4: String(made % 10_000).padStart(4, '0'),
      expiryMonth: 12,
      expiryYear,
      codeDigits: 3,
    };
  };
  const note = (charge: Charge): Charge => {
    charges.set(charge.key, charge);
    if (charge.state === 'paid') newest.set(charge.uid, charge);
    if (charge.state === 'waiting') waiting.add(charge);
    return charge;
  };
  const ripen = (charge: Charge): Charge => {
    if (charge.state !== 'waiting' || (charge.ripeAt ?? 0) > clock()) return charge;
    charge.state = 'paid';
    waiting.delete(charge);
    newest.set(charge.uid, charge);
    return charge;
  };
  const blank = (key: string, uid: string, money: { amount: number; currency: string }, own: boolean): Charge => ({
    ...money,
    key,
    uid,
    own,
    at: clock(),
    state: 'paid',
  });

  /** Decides once what becomes of a charge of the shop's own; undefined where the bank does not hear of it. */
  const decide = ({ key, customer = '', token, amount, currency }: SavedCardCharge): Charge | undefined => {
    const card = cards.get(token);
    const charge = blank(key, customer, { amount, currency }, true);
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
    const { key, amount, currency, state, code, asksHolder, kept } = ripen(charge);
    if (state === 'failed') return { state, failure: code, asksHolder };
    if (state === 'waiting') return { state: 'pending', next: { type: 'none' }, providerRef: key };
    return { state: 'succeeded', providerRef: key, amount, currency, savedCard: kept };
  };
  /** A key that was never seen is closed, and charges nothing from then on. */
  const inquire = async (key: string): Promise<GatewayAnswer> =>
    answerOf(
      charges.get(key) ??
        note({ ...blank(key, '', { amount: 0, currency: '' }, false), state: 'failed', code: 'paymentFailed' }),
    );

  const chargeSaved = async (asked: SavedCardCharge): Promise<GatewayAnswer> => {
    const known = charges.get(asked.key);
    if (known) return answerOf(known);
    const charge = decide(asked);
    if (!charge) return { state: 'unknown' };
    watch(charge);
    note(charge);
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
    const charge = blank(key, customer, { amount, currency }, false);
    if (chance.is(0.05)) return answerOf(note({ ...charge, state: 'failed', code: 'insufficientFunds' }));
    return answerOf(note({ ...charge, ...(card?.save && { kept: newCard(customer) }) }));
  };
  const storeCard = async ({ customer = '' }: CardToSave): Promise<SaveCardAnswer> => {
    if (chance.is(0.1)) return { state: 'refused', failure: 'cardRejected' };
    return chance.is(0.05) ? { state: 'unknown' } : { state: 'kept', savedCard: newCard(customer) };
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
      const kept = [...cards.values()].filter(({ isGone, isForgotten }) => !isGone && !isForgotten);
      return new Set(kept.map(({ uid }) => uid));
    },
    newestOf: (uid) => newest.get(uid),
    paidBefore: (charge) => void note({ ...charge, own: false, state: 'paid' }),
    ripe: () => [...waiting].filter((charge) => ripen(charge).state === 'paid'),
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
        if (!charge) throw new NoticeRefused('of no charge');
        return { eventId, key, kind, stage, answer: answerOf(charge) };
      },
    },
  };
}

type Told = Pick<GatewayNotice, 'kind' | 'stage' | 'key' | 'eventId'>;

/** What the bank would tell the shop. */
export function tellOf(told: Told): string {
  return JSON.stringify(told);
}
