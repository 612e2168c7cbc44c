import { expect, test } from 'vitest';
import { isBusy } from '#web/platform/session/busy.ts';
import { createMachine } from './pay-session.ts';
import type { PaymentAnswer } from '#contract/billing.ts';

const answer: PaymentAnswer = {
  orderId: 'LUMEN1',
  status: 'PAYMENT_SUCCEEDED',
  resultToken: 't',
  next: { type: 'none' },
};

test('a page that has paid is not reloaded before it has led to the result', () => {
  const machine = createMachine({ phase: 'sending' });
  const leave = machine.open();
  expect(isBusy('payment')).toBe(true);
  machine.send({ type: 'outcome', outcome: { kind: 'answered', answer }, shown: undefined });
  expect(isBusy('payment')).toBe(true);
  leave();
  expect(isBusy('payment')).toBe(false);
});

test('a request goes on without its page, and what came of it keeps nothing waiting', () => {
  const machine = createMachine({ phase: 'sending' });
  machine.open()();
  expect(isBusy('payment')).toBe(true);
  machine.send({ type: 'outcome', outcome: { kind: 'answered', answer }, shown: undefined });
  expect(isBusy('payment')).toBe(false);
});
