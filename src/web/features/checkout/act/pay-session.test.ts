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

test('does not reload a page that has paid before it shows the result', () => {
  const machine = createMachine({ phase: 'sending' });
  const leave = machine.open();
  expect(isBusy('payment')).toBe(true);
  machine.send({ type: 'outcome', outcome: { kind: 'answered', answer }, shown: undefined });
  expect(isBusy('payment')).toBe(true);
  leave();
  expect(isBusy('payment')).toBe(false);
});

test('finishes a request without its page, and is not busy afterwards', () => {
  const machine = createMachine({ phase: 'sending' });
  machine.open()();
  expect(isBusy('payment')).toBe(true);
  machine.send({ type: 'outcome', outcome: { kind: 'answered', answer }, shown: undefined });
  expect(isBusy('payment')).toBe(false);
});
