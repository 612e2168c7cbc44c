import { expect, test } from 'vitest';
import { waiting } from './paypal/answers.ts';
import { answerOf as payssionAnswer } from './payssion/client.ts';
import { intentAnswer, sessionAnswer } from './stripe/answers.ts';
import { answerOf as useepayAnswer } from './useepay/answers.ts';

const now = 1_790_000_000_000;
const page = { type: 'redirect', url: 'https://provider.example/' } as const;
type Attempt = Parameters<typeof payssionAnswer>[1];
// the fields of an attempt that the answers read
const attempt = { id: 'a', state: 'PENDING', next: page, createdAt: now, expiresAt: now + 60_000 } as Attempt;

test('Stripe and PayPal state that nothing was paid while their page is open', () => {
  const session = { id: 'cs_1', mode: 'payment', status: 'open', url: page.url, expires_at: now / 1000 + 60 } as const;
  expect(sessionAnswer({ ...session, metadata: {}, customer: null }, now).unpaid).toBe(true);
  type PaypalAttempt = Parameters<typeof waiting>[0];
  const order = { createdAt: now } as PaypalAttempt;
  expect(waiting(order, { id: '1', instrument: 1, page: page.url }).unpaid).toBe(true);
});

test('a provider for which "pending" may be a payment under way does not state it', () => {
  for (const state of ['pending', 'awaiting_confirm', 'paid_partial']) {
    const answer = payssionAnswer({ transaction_id: 't', state }, attempt, now);
    expect(answer, state).toMatchObject({ state: 'pending' });
    expect(answer.unpaid, state).toBeUndefined();
  }
  for (const resultCode of ['received', 'pending', 'gather', 'challenge']) {
    const transaction = { resultCode, reference: '', amount: '', currency: '' };
    const answer = useepayAnswer(transaction as Parameters<typeof useepayAnswer>[0], attempt, now);
    expect(answer, resultCode).toMatchObject({ state: 'pending' });
    expect(answer.unpaid, resultCode).toBeUndefined();
  }
});

test('only a cancellation by the customer is reported as one', () => {
  const intent = { id: 'pi_1', status: 'canceled', amount: 100, currency: 'brl' } as Parameters<typeof intentAnswer>[0];
  const codeOf = (cancellation_reason: string | null) => intentAnswer({ ...intent, cancellation_reason }, now).failure;
  expect(['abandoned', 'requested_by_customer'].map(codeOf)).toEqual(['paymentCancelled', 'paymentCancelled']);
  expect([null, 'automatic', 'fraudulent', 'duplicate'].map(codeOf)).toEqual([
    'paymentFailed',
    'paymentFailed',
    'paymentFailed',
    'paymentFailed',
  ]);
  const states = ['cancelled_by_user', 'cancelled', 'rejected_by_bank', 'failed'] as const;
  const payssion = states.map((state) => payssionAnswer({ transaction_id: 't', state }, attempt, now).failure);
  expect(payssion).toEqual(['paymentCancelled', 'paymentFailed', 'rejectedByBank', 'paymentFailed']);
});
