import { errorCode } from '#contract/error-codes.ts';
import type { ChargeRequest, ChargeStep, ChargeView } from '../gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';
import { changeAsRead, chargeOfKey, isWaiting } from './charges.ts';
import { blankDetails, blockMs, coinState, type CoinState, coinStep, confirmationsNeeded } from './coin-charge.ts';
import { coins } from './coin-list.ts';
import { coinPage } from './coin-page.ts';
import { blankCharge, type Family, type Opening } from './family.ts';
import { type Notice, noticeDelayMs, noticeOf } from './notices.ts';

/** Lifetime of an address and its rate, in milliseconds. */
export const coinLifetimeMs = 60 * 60_000;
/** Time to confirm a payment that arrived just before the end, in milliseconds. */
const confirmingMs = 10 * 60_000;

/**
 * Coins: the payer chooses one and sends it, in one or several transfers, and the chain confirms it. A transfer cannot
 * be rejected: it counts even if late, and the server can cancel a charge only before anything has arrived.
 */
export const coin: Family = {
  open: openInDollars,
  todo: coinStep,
  takeStep: chooseCoin,
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
  if (await changeAsRead(bank, charge, { details: { ...charge.details, coin: step.coin } })) return undefined;
  const current = await chargeOfKey(bank, charge.key);
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
  await changeAsRead(bank, charge, { details, ...(isFull && confirming) }, (changed) =>
    isFull ? confirmationNotices(bank, changed) : [noticeOf(bank, changed, 'charge', { todo: coinStep(changed, now) })],
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
    const todo = coinStep(charge, bank.clock() + after);
    return noticeOf(bank, charge, 'charge', { todo, delayMs: after + noticeDelayMs });
  });
}
