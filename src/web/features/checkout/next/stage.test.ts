import { expect, test } from 'vitest';
import type { NextStep } from '#contract/next-step.ts';
import type { OrderStatus } from '#contract/order-status.ts';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { toOwnerView } from '#web/domain/payments/use-payment-state.ts';
import { isShownHere, stageOf, type OpenStep } from './stage.ts';

const ends = 1_790_000_000_000;
const amount = { amount: 4990, currency: 'BRL' };
const code: OpenStep = { type: 'qr', payload: 'x', amount, expiresAt: ends };
const question: OpenStep = { type: 'push', phone: '+254 •••78', amount, expiresAt: ends };

const order = (flow: NextStep['type'], status: OrderStatus) =>
  anOrder({ flow, status, expiresAt: status === 'PAYMENT_PENDING' ? ends : null });
const view = (flow: NextStep['type'], next: NextStep, status: OrderStatus = 'PAYMENT_PENDING') =>
  toOwnerView({ order: order(flow, status), next, resultToken: 'a-token-of-its-result' });
const none: NextStep = { type: 'none' };
const at = { seen: undefined, expects: undefined, repays: false, now: ends - 1 };

test('shows a step at any step address', () => {
  expect(stageOf(view('qr', code), { ...at, expects: 'redirect' })).toEqual({ kind: 'step', step: code });
});

test('leads to the result page for a payment that has ended or needs no action', () => {
  for (const status of ['PAYMENT_SUCCEEDED', 'PAYMENT_FAILED', 'PAYMENT_CANCELLED', 'REFUND_PENDING'] as const) {
    expect(stageOf(view('qr', none, status), at)).toEqual({ kind: 'result' });
  }
  expect(stageOf(view('qr', none), at)).toEqual({ kind: 'result' });
});

test('removes an expired code on its second, without a response of the server', () => {
  expect(stageOf(view('qr', code), { ...at, now: ends })).toEqual({ kind: 'expired', of: 'qr' });
  expect(stageOf(view('ticket', none), { ...at, now: ends })).toEqual({ kind: 'expired', of: 'ticket' });
  expect(stageOf(view('none', none), { ...at, now: ends, seen: code }).kind).toBe('noAnswer');
});

test('stays on the page that repays an order until the provider has answered', () => {
  const renewed = toOwnerView({
    order: { ...order('qr', 'PAYMENT_PENDING'), expiresAt: null },
    next: none,
    resultToken: 't',
  });
  expect(stageOf(renewed, { ...at, seen: code, renewing: true })).toEqual({ kind: 'expired', of: 'qr' });
  expect(stageOf(renewed, { ...at, seen: code })).toEqual({ kind: 'result' });
  expect(stageOf(view('qr', none, 'PAYMENT_SUCCEEDED'), { ...at, renewing: true })).toEqual({ kind: 'result' });
});

test('does not treat an unanswered confirmation on the phone as failed', () => {
  expect(stageOf(view('push', question), { ...at, now: ends })).toEqual({ kind: 'noAnswer', of: 'push' });
  expect(stageOf(view('push', none), { ...at, now: ends + 60_000 })).toEqual({ kind: 'noAnswer', of: 'push' });
  expect(stageOf(view('push', none), { ...at, now: ends + 15 * 60_000 })).toEqual({ kind: 'expired', of: 'push' });
});

test('expires a one-time code at its deadline', () => {
  const typed: OpenStep = { type: 'otp', digits: 6, sentTo: null, triesLeft: 3, amount, expiresAt: ends };
  expect(stageOf(view('otp', typed), { ...at, seen: typed, now: ends })).toEqual({ kind: 'expired', of: 'otp' });
});

test('offers to pay again, also after a failure', () => {
  const again = { ...at, expects: 'upload', repays: true } as const;
  expect(stageOf(view('upload', none, 'PAYMENT_FAILED'), again)).toEqual({ kind: 'expired', of: 'upload' });
  expect(stageOf(view('upload', none, 'PAYMENT_SUCCEEDED'), again)).toEqual({ kind: 'result' });
});

const expiresAt = ends;
const transfer = {
  type: 'upload',
  flavour: 'paynow',
  payload: 'x',
  receiver: { name: 'Shop', account: '7' },
  reference: 'R7',
  amount,
  proof: 'none',
  expiresAt,
} as const satisfies OpenStep;
const coin = {
  coin: 'btc-bitcoin',
  asset: 'BTC',
  network: 'Bitcoin',
  address: 'x',
  amount: '1',
  uri: 'x',
  received: '0',
  missing: '1',
  confirmations: 0,
  confirmationsNeeded: 2,
};
const coins = (chosen: typeof coin | null): OpenStep => ({ type: 'crypto', options: [], chosen, amount, expiresAt });

test('keeps the screen on for a code to scan and for a confirmation on another phone', () => {
  expect(isShownHere({ type: 'qr', payload: 'x', amount, expiresAt })).toBe(true);
  expect(isShownHere({ type: 'push', phone: '+254 •••78', amount, expiresAt })).toBe(true);
  expect(isShownHere(transfer)).toBe(true);
  expect(isShownHere(coins(coin))).toBe(true);
});

test('lets the screen turn off if nothing is to scan or the payer has done their part', () => {
  expect(isShownHere({ ...transfer, payload: null })).toBe(false);
  expect(isShownHere({ ...transfer, proof: 'received' })).toBe(false);
  expect(isShownHere(coins(null))).toBe(false);
  expect(isShownHere(coins({ ...coin, received: '1', missing: '0' }))).toBe(false);
  expect(isShownHere({ type: 'redirect', url: 'https://bank.example' })).toBe(false);
});
