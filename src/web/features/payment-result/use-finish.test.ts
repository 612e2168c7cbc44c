import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FinishedPayment } from '#contract/payment-steps.ts';
import { finishUntilKnown, type Finishing } from './use-finish.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nextStep = { type: 'redirect', url: 'https://wallet.example/' } as const;
const payment = (some: Partial<FinishedPayment> = {}): FinishedPayment => ({
  status: 'PAYMENT_PENDING',
  planName: 'Monthly',
  total: { amount: 39_900, currency: 'RUB' },
  expiresAt: null,
  failureCode: null,
  flow: 'redirect',
  next: nextStep,
  unpaid: false,
  ...some,
});

async function follow(answers: (FinishedPayment | undefined)[]) {
  const shown: Finishing[] = [];
  const ask = vi.fn(async () => answers.shift());
  const end = finishUntilKnown(ask, (found) => shown.push(found), new AbortController().signal);
  await vi.runAllTimersAsync();
  await end;
  return { shown, asked: ask.mock.calls.length };
}

test('calls a slow provider again until it reports the payment', async () => {
  const paid = payment({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
  const { shown, asked } = await follow([payment(), payment(), paid]);
  expect(asked).toBe(3);
  expect(shown).toEqual([
    { busy: false, nextStep, unpaid: false },
    { busy: false, nextStep, unpaid: false },
    { busy: false, nextStep: undefined, unpaid: false },
  ]);
});

test('stops when the provider reports that nothing was paid', async () => {
  const { shown, asked } = await follow([payment({ unpaid: true })]);
  expect(asked).toBe(1);
  expect(shown).toEqual([{ busy: false, nextStep, unpaid: true }]);
});

test('does not report that nothing was paid if no call arrives', async () => {
  const { shown } = await follow([undefined]);
  expect(shown).toEqual([{ busy: false, nextStep: undefined, unpaid: false }]);
});

test('stops calling a provider that never reports an outcome', async () => {
  const { asked } = await follow(Array.from({ length: 20 }, () => payment()));
  expect(asked).toBe(7);
});
