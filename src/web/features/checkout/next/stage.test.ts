import { expect, test } from 'vitest';
import type { NextStep } from '../../../../contract/next-step.ts';
import type { OrderStatus } from '../../../../contract/order-status.ts';
import { viewOfOwner } from '../../../payment-state/payment-view.ts';
import { anOrder } from '../../../../../tests/builders/an-order-seen.ts';
import { stageOf, type OpenStep } from './stage.ts';

const ends = 1_790_000_000_000;
const amount = { amount: 4990, currency: 'BRL' };
const code: OpenStep = { type: 'qr', payload: 'x', amount, expiresAt: ends };
const question: OpenStep = { type: 'push', phone: '+254 •••78', amount, expiresAt: ends };

const order = (methodCode: string, status: OrderStatus) =>
  anOrder({ methodCode, status, expiresAt: status === 'PAYMENT_PENDING' ? ends : null });
const view = (methodCode: string, next: NextStep, status: OrderStatus = 'PAYMENT_PENDING') =>
  viewOfOwner({ order: order(methodCode, status), next, resultToken: 'a-token-of-its-result' });
const none: NextStep = { type: 'none' };
const at = { seen: undefined, expects: undefined, repays: false, now: ends - 1 };

test('a step is shown at any of the addresses, whatever that one is for', () => {
  expect(stageOf(view('pix', code), { ...at, expects: 'redirect' })).toEqual({ kind: 'step', step: code });
});

test('what has ended, and what waits for nobody, is told by the result page', () => {
  for (const status of ['PAYMENT_SUCCEEDED', 'PAYMENT_FAILED', 'PAYMENT_CANCELLED', 'REFUND_PENDING'] as const) {
    expect(stageOf(view('pix', none, status), at)).toEqual({ kind: 'result' });
  }
  expect(stageOf(view('pix', none), at)).toEqual({ kind: 'result' });
});

test('an expired code leaves the page at its second, whether or not the server has been asked since', () => {
  expect(stageOf(view('pix', code), { ...at, now: ends })).toEqual({ kind: 'expired', of: 'qr' });
  expect(stageOf(view('boleto', none), { ...at, now: ends })).toEqual({ kind: 'expired', of: 'ticket' });
  expect(stageOf(view('a-new-one', none), { ...at, now: ends, seen: code }).kind).toBe('noAnswer');
});

test('a question on the phone that nobody answered has not failed', () => {
  expect(stageOf(view('mpesa', question), { ...at, now: ends })).toEqual({ kind: 'noAnswer', of: 'push' });
  expect(stageOf(view('mpesa', none), { ...at, now: ends + 60_000 })).toEqual({ kind: 'noAnswer', of: 'push' });
  expect(stageOf(view('mpesa', none), { ...at, now: ends + 15 * 60_000 })).toEqual({ kind: 'expired', of: 'push' });
});

test('the time of a code to be typed is over when it is over', () => {
  const typed: OpenStep = { type: 'otp', digits: 6, sentTo: null, triesLeft: 3, amount, expiresAt: ends };
  expect(stageOf(view('orange', typed), { ...at, seen: typed, now: ends })).toEqual({ kind: 'expired', of: 'otp' });
});

test('who comes to pay again is offered to, also after a failure', () => {
  const again = { ...at, expects: 'upload', repays: true } as const;
  expect(stageOf(view('caishen', none, 'PAYMENT_FAILED'), again)).toEqual({ kind: 'expired', of: 'upload' });
  expect(stageOf(view('caishen', none, 'PAYMENT_SUCCEEDED'), again)).toEqual({ kind: 'result' });
});
