import { errorCode } from '#contract/error-codes.ts';
import type { ChargeRequest, ChargeStep, ChargeView } from '#sandbox/gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';
import { changeIfUnchanged, findChargeByKey, isWaiting, type Notice, noticeDelayMs, noticeOf } from './charges.ts';
import { coins, addressOf, coinOptions, type Coin } from './coin-list.ts';
import { blankCharge, pageOf, type Family, type Opening, amountRow } from './family.ts';
import { coinText, unitsOf } from '#server/payments/br-code.ts';
import type { BankPage, PageButton } from '#sandbox/page-html.ts';
import * as v from 'valibot';
import type { NextStepOf } from '#contract/next-step.ts';

/** Blocks until a payment is final. */
const confirmationsNeeded = 3;
/** Time between blocks, in milliseconds. */
const blockMs = 2000;

/** The details of a coin charge. Units are text, because JSON numbers are too small for them. */
const detailsSchema = v.object({
  /** random; the addresses are derived from it */
  seed: v.string(),
  label: v.string(),
  coin: v.nullable(v.string()),
  received: v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform((units) => BigInt(units)),
  ),
  /** when the full amount had arrived, epoch milliseconds */
  fullAt: v.nullable(v.number()),
});

/** A charge with a chosen coin: expected and received amounts, in units of the coin. */
interface CoinState {
  readonly coin: Coin;
  readonly address: string;
  readonly uri: string;
  readonly units: bigint;
  readonly received: bigint;
  readonly missing: bigint;
  readonly fullAt: number | null;
}

function blankDetails(seed: string, label: string): v.InferInput<typeof detailsSchema> {
  return { seed, label, coin: null, received: '0', fullAt: null };
}

/** Undefined until a coin is chosen. */
function coinState({ details, amount }: Pick<Charge, 'details' | 'amount'>): CoinState | undefined {
  const { seed, label, received, fullAt, ...chosen } = v.parse(detailsSchema, details);
  const coin = coins.find((one) => one.coin === chosen.coin);
  if (!coin) return undefined;
  const units = unitsOf(amount, coin);
  const to = addressOf(coin, seed);
  const missing = received < units ? units - received : 0n;
  return { coin, address: to, uri: coin.uri({ to, units, label }), units, received, missing, fullAt };
}

/** The step shown to the payer at `now` (epoch milliseconds). */
function coinStep(charge: Charge, now: number): NextStepOf<'crypto'> {
  const state = coinState(charge);
  const { amount, currency, expiresAt } = charge;
  return {
    type: 'crypto',
    options: coinOptions,
    chosen: state ? shownState(state, now) : null,
    amount: { amount, currency },
    expiresAt: expiresAt ?? 0,
    bankUrl: pageOf(charge, 'coin'),
  };
}

function shownState(state: CoinState, now: number): NonNullable<NextStepOf<'crypto'>['chosen']> {
  const { coin, asset, network, decimals } = state.coin;
  return {
    coin,
    asset,
    network,
    address: state.address,
    amount: coinText(state.units, decimals),
    uri: state.uri,
    received: coinText(state.received, decimals),
    missing: coinText(state.missing, decimals),
    confirmations: confirmationsOf(state, now),
    confirmationsNeeded,
  };
}

/** Blocks count from the time when the full amount had arrived. */
function confirmationsOf({ fullAt }: Pick<CoinState, 'fullAt'>, now: number): number {
  if (fullAt === null) return 0;
  return Math.min(confirmationsNeeded, Math.max(0, Math.floor((now - fullAt) / blockMs)));
}

type Message = Pick<BankPage, 'title' | 'lines' | 'buttons'>;

/** A wallet that has read the QR of the storefront. */
function coinPage(charge: Charge, now: number): BankPage {
  const { returnUrl: back } = charge;
  const state = coinState(charge);
  if (!state) {
    const closed = charge.status !== 'waiting';
    const lines = [closed ? 'This payment is closed.' : 'Choose a coin in the shop first.'];
    return { title: closed ? 'Closed' : 'Which coin?', lines, rows: [amountRow(charge)], back };
  }
  return { ...walletMessage(charge, state, now), rows: walletRows(charge, state), back };
}

function walletRows(
  charge: Charge,
  { coin, address, units, received, missing }: CoinState,
): NonNullable<BankPage['rows']> {
  const inCoin = (amount: bigint) => `${coinText(amount, coin.decimals)} ${coin.asset}`;
  return [
    amountRow(charge),
    ['Network', coin.network],
    ['To', address],
    ['Asked', inCoin(units)],
    ['Received', inCoin(received)],
    ['Missing', inCoin(missing)],
  ];
}

const sendAll: PageButton = { action: 'all', label: 'Send all', primary: true };
const sendHalf: PageButton = { action: 'half', label: 'Send half', primary: false };
const sendMissing: PageButton = { action: 'missing', label: 'Send what is missing', primary: false };
const sendLate: PageButton = { action: 'late', label: 'Send late', primary: false };

function walletMessage({ status }: Charge, state: CoinState, now: number): Message {
  if (status === 'paid' || status === 'refunded') return { title: 'Paid', lines: ['The chain has confirmed it.'] };
  if (status === 'declined') return { title: 'Closed', lines: ['This address is closed.'] };
  if (state.fullAt !== null) {
    return { title: 'Sent', lines: [`Confirmations: ${confirmationsOf(state, now)} of ${confirmationsNeeded}.`] };
  }
  if (status === 'expired') {
    return { title: 'Too late', lines: ['The time of this address has passed.'], buttons: [sendLate] };
  }
  const buttons = [sendAll, sendHalf, ...(state.received > 0n ? [sendMissing] : [])];
  return { title: `Send ${state.coin.asset}`, lines: ['Nothing is really sent.'], buttons };
}

/** Lifetime of an address and its rate, in milliseconds. */
const coinLifetimeMs = 60 * 60_000;
/** Time to confirm a payment that arrived just before the end, in milliseconds. */
const confirmingMs = 10 * 60_000;

/**
 * Coins: the payer chooses one and sends it, in one or several transfers, and the chain confirms it. A transfer cannot
 * be rejected: it counts even if late, and the server can cancel a charge only before anything has arrived.
 */
export const coin: Family = {
  open: openInDollars,
  nextStep: coinStep,
  performStep: chooseCoin,
  mayCancel: (charge) => (coinState(charge)?.received ?? 0n) === 0n,
  page: { name: 'coin', show: coinPage, leaves: false, press: sendCoins },
};

function openInDollars(bank: Bank, request: ChargeRequest): Opening {
  const charge = blankCharge(bank, request);
  if (request.currency !== 'USD')
    return { charge: { ...charge, status: 'declined', declineCode: errorCode('paymentFailed') } };
  const details = { ...charge.details, ...blankDetails(bank.random.token(32), request.merchantName) };
  return { charge: { ...charge, details, expiresAt: bank.clock() + coinLifetimeMs } };
}

/** The same coin again changes nothing; another one is possible until something has arrived. */
async function chooseCoin(bank: Bank, charge: Charge, step: ChargeStep): Promise<ChargeView['refusal'] | undefined> {
  const state = coinState(charge);
  if (step.type !== 'chooseCoin' || step.coin === state?.coin.coin) return undefined;
  if (!coins.some((one) => one.coin === step.coin) || (state?.received ?? 0n) > 0n)
    return { error: 'operationUnsupported' };
  if (await changeIfUnchanged(bank, charge, { details: { ...charge.details, coin: step.coin } })) return undefined;
  const current = await findChargeByKey(bank, charge.key);
  return current && isWaiting(current) ? chooseCoin(bank, current, step) : undefined;
}

/**
 * Handles a transfer from a wallet. When the full amount has arrived, confirmations follow; the last one pays the
 * charge.
 */
async function sendCoins(bank: Bank, charge: Charge, action: string): Promise<void> {
  const state = coinState(charge);
  const sent = state && state.fullAt === null ? sentUnits(state, charge.status, action) : 0n;
  if (!state || sent <= 0n) return;
  const now = bank.clock();
  const received = state.received + sent;
  const isFull = received >= state.units;
  const details = { ...charge.details, received: String(received), fullAt: isFull ? now : null };
  const confirming = {
    expiresAt: Math.max(charge.expiresAt ?? 0, now + confirmingMs),
    scheduledOutcome: { status: 'paid' } as const,
    scheduledAt: now + confirmationsNeeded * blockMs,
  };
  await changeIfUnchanged(bank, charge, { details, ...(isFull && confirming) }, (changed) =>
    isFull
      ? confirmationNotices(bank, changed)
      : [noticeOf(bank, changed, 'charge', { nextStep: coinStep(changed, now) })],
  );
}

function sentUnits({ units, missing }: CoinState, status: Charge['status'], action: string): bigint {
  if (status === 'expired') return action === 'late' ? missing : 0n;
  if (status !== 'waiting') return 0n;
  return { all: units, half: units / 2n, missing }[action] ?? 0n;
}

/** One notice for each block before the last, which sends its own when it pays. */
function confirmationNotices(bank: Bank, charge: Charge): Notice[] {
  return Array.from({ length: confirmationsNeeded }, (_, block) => {
    const after = block * blockMs;
    const nextStep = coinStep(charge, bank.clock() + after);
    return noticeOf(bank, charge, 'charge', { nextStep, delayMs: after + noticeDelayMs });
  });
}
