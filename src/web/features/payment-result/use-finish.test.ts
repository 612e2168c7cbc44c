import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FinishedPayment } from '#contract/payment-steps.ts';
import { finishUntilKnown, type Finishing } from './use-finish.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wants = { type: 'redirect', url: 'https://wallet.example/' } as const;
const payment = (some: Partial<FinishedPayment> = {}): FinishedPayment => ({
  status: 'PAYMENT_PENDING',
  planName: 'Monthly',
  total: { amount: 39_900, currency: 'RUB' },
  expiresAt: null,
  failureCode: null,
  flow: 'redirect',
  next: wants,
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

test('asks a slow provider again until it knows that the customer has paid', async () => {
  const paid = payment({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
  const { shown, asked } = await follow([payment(), payment(), paid]);
  expect(asked).toBe(3);
  expect(shown).toEqual([
    { busy: false, wants, unpaid: false },
    { busy: false, wants, unpaid: false },
    { busy: false, wants: undefined, unpaid: false },
  ]);
});

test('stops asking when the provider states that nothing was paid', async () => {
  const { shown, asked } = await follow([payment({ unpaid: true })]);
  expect(asked).toBe(1);
  expect(shown).toEqual([{ busy: false, wants, unpaid: true }]);
});

test('does not state that nothing was paid when no call gets through', async () => {
  const { shown } = await follow([undefined]);
  expect(shown).toEqual([{ busy: false, wants: undefined, unpaid: false }]);
});

test('stops asking a provider that never knows', async () => {
  const { asked } = await follow(Array.from({ length: 20 }, () => payment()));
  expect(asked).toBe(7);
});
