import { expect, test } from 'vitest';
import type { PaymentAnswer } from '#contract/billing.ts';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { idleState, canTap, isBusy, retainsKey, noTip, payStep, type PayEvent, type PayState } from './pay-machine.ts';
import { outcomeOfAnswer, outcomeOfError } from './pay-request.ts';

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const order = anOrder({ methodCode: 'card' });
const answer: PaymentAnswer = {
  orderId: order.orderId,
  status: 'PAYMENT_SUCCEEDED',
  resultToken: 'abcdefghijklmnop',
  next: { type: 'none' },
};
const refused = (code: number, params = {}) => refusedError('pay', { code, params });
const valued = (some: Partial<Extract<PayEvent, { type: 'valued' }>> = {}): PayEvent => ({
  type: 'valued',
  shown: brl(4990),
  total: brl(4990),
  tip: noTip,
  accepted: [],
  ...some,
});
const run = (...events: PayEvent[]): PayState => events.reduce(payStep, idleState);
const sending = [{ type: 'tap' }, valued()] as const;

test('reads the price again after a tap, and sends if nothing has changed', () => {
  expect(run({ type: 'tap' }).phase).toBe('revaluing');
  expect(run(...sending).phase).toBe('sending');
});

test('ignores a second tap while the first is in progress', () => {
  expect(run({ type: 'tap' }, { type: 'tap' })).toEqual({ phase: 'revaluing' });
  expect(run(...sending, { type: 'tap' })).toEqual({ phase: 'sending' });
  expect(canTap(run(...sending))).toBe(false);
});

test('shows a changed price, old and new, and pays it only after another tap', () => {
  const changed = run({ type: 'tap' }, valued({ total: brl(5490) }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5490) });
  const again = [{ type: 'tap' } as const, valued({ shown: brl(5490), total: brl(5490) })].reduce(payStep, changed);
  expect(again.phase).toBe('sending');
});

test('shows a changed renewal price, and agrees to it only after another tap', () => {
  const later = { shown: brl(4990), total: brl(5990) };
  const changed = run({ type: 'tap' }, valued({ later }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5990), ofRenewal: true });
  const seen = valued({ later: { shown: brl(5990), total: brl(5990) } });
  expect([{ type: 'tap' } as const, seen].reduce(payStep, changed).phase).toBe('sending');
});

test('shows a renewal price that changed with the total only once', () => {
  const changed = run({ type: 'tap' }, valued({ total: brl(5490), later: { shown: brl(4990), total: brl(5490) } }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5490), renewal: brl(5490) });
});

test('asks about an unfinished order before creating a second one', () => {
  const asked = run({ type: 'tap' }, valued({ tip: { ...noTip, unfinished: order } }));
  expect(asked).toEqual({ phase: 'unfinished', order });
  const accepted = valued({ tip: { ...noTip, unfinished: order }, accepted: [order.orderId] });
  expect([{ type: 'tap' } as const, accepted].reduce(payStep, asked).phase).toBe('sending');
});

test('reports that another tab has paid for the plan, unless the customer knows', () => {
  const justPaid = { ...order, status: 'PAYMENT_SUCCEEDED' as const };
  const told: PayEvent = { type: 'paidElsewhere', justPaid, accepted: [] };
  expect(run(told)).toEqual({ phase: 'justPaid', order: justPaid });
  expect(run({ ...told, accepted: [order.orderId] })).toEqual(idleState);
  expect(run({ ...told, justPaid: null })).toEqual(idleState);
  // a request in progress continues
  expect(run(...sending, told).phase).toBe('sending');
});

test('asks for confirmation if this plan was paid minutes ago', () => {
  const tip = { ...noTip, justPaid: { ...order, status: 'PAYMENT_SUCCEEDED' as const } };
  expect(run({ type: 'tap' }, valued({ tip })).phase).toBe('justPaid');
});

test('checks after a lost connection, never charges twice, and ends when the answer is known', () => {
  const cut = run(...sending, {
    type: 'outcome',
    outcome: outcomeOfError(new ApiError('network', 'pay', { lost: 'unreachable' })),
    shown: brl(4990),
  });
  expect(cut.phase).toBe('checking');
  expect(isBusy(cut)).toBe(true);
  expect(canTap(cut)).toBe(false);
  const known = payStep(cut, { type: 'outcome', outcome: outcomeOfAnswer(answer), shown: brl(4990) });
  expect(known).toEqual({ phase: 'next', answer });
  expect(payStep(cut, { type: 'notFound' })).toEqual({ phase: 'idle', notice: { kind: 'notPaid' } });
});

test('treats a server failure, an unreadable response and an unknown code as unknown', () => {
  const failures = [
    new ApiError('http', 'pay', { status: 502 }),
    new ApiError('http', 'pay', { status: 408 }),
    new ApiError('malformed', 'pay'),
    ...[2000, 5008, 1015, -1112, -2499, 424242].map((code) => refused(code)),
  ];
  for (const failure of failures) expect(outcomeOfError(failure)).toEqual({ kind: 'unknown' });
});

test('names the declined order, and repays it with a new key', () => {
  const outcome = outcomeOfError(refused(315, { orderId: order.orderId }));
  expect(outcome).toEqual({ kind: 'declined', code: 315, orderId: order.orderId });
  expect(retainsKey(outcome)).toBe(false);
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) })).toEqual({
    phase: 'idle',
    notice: { kind: 'declined', code: 315, orderId: order.orderId },
  });
});

test('treats a response with a failed attempt as a decline', () => {
  const failed = outcomeOfAnswer({ ...answer, status: 'PAYMENT_FAILED', failureCode: 302 });
  expect(failed).toEqual({ kind: 'declined', code: 302, orderId: order.orderId });
});

test('checks a key that another tab has used, and retains it', () => {
  const outcome = outcomeOfError(refused(5000, { field: 'Idempotency-Key' }));
  expect(outcome).toEqual({ kind: 'spent' });
  expect(retainsKey(outcome)).toBe(true);
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) }).phase).toBe('checking');
});

test('needs a second tap if the server changed the price before paying', () => {
  const outcome = outcomeOfError(refused(1015, { newTotal: brl(5990) }));
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) })).toEqual({
    phase: 'priceChanged',
    was: brl(4990),
    total: brl(5990),
  });
});

test('retains the key after everything but a definite refusal', () => {
  expect(retainsKey({ kind: 'unknown' })).toBe(true);
  expect(retainsKey(outcomeOfError(refused(-3031)))).toBe(true);
  expect(retainsKey(outcomeOfError(refused(9003)))).toBe(false);
  expect(outcomeOfError(refused(-24020))).toEqual({ kind: 'signedOut' });
});

test('retains the key for a captcha or a wait, and shows what is needed', () => {
  const captcha = outcomeOfError(refused(-3035, { way: 'work' }));
  expect(captcha).toMatchObject({ kind: 'refused', code: -3035, way: 'work' });
  expect(retainsKey(captcha)).toBe(true);
  expect(run(...sending, { type: 'outcome', outcome: captcha, shown: brl(4990) })).toMatchObject({
    notice: { kind: 'refused', code: -3035, way: 'work' },
  });
  const wait = outcomeOfError(refused(-3031, { waitSeconds: 90 }));
  expect(retainsKey(wait)).toBe(true);
  expect(run(...sending, { type: 'outcome', outcome: wait, shown: brl(4990) })).toMatchObject({
    notice: { code: -3031, waitSeconds: 90 },
  });
});

test('treats a rate limit of the provider as a decline, and repays the order with a new key', () => {
  const outcome = outcomeOfError(refused(-3031, { orderId: order.orderId }));
  expect(outcome).toEqual({ kind: 'declined', code: -3031, orderId: order.orderId });
  expect(retainsKey(outcome)).toBe(false);
  const answered = outcomeOfAnswer({ ...answer, status: 'PAYMENT_FAILED', failureCode: -3031 });
  expect(answered).toEqual({ kind: 'declined', code: -3031, orderId: order.orderId });
});

test('treats a transfer without a receiver as a definite refusal', () => {
  const outcome = outcomeOfError(refused(-2602));
  expect(outcome).toMatchObject({ kind: 'refused', code: -2602, replaceKey: true });
});

test('reports nothing paid if stopped before sending, and checks if stopped afterwards', () => {
  expect(run({ type: 'tap' }, { type: 'stop' })).toEqual({ phase: 'idle', notice: { kind: 'notSent' } });
  // a price that arrives later sends nothing
  expect(run({ type: 'tap' }, { type: 'stop' }, valued()).phase).toBe('idle');
  const stopped = run(...sending, { type: 'stop' });
  expect(stopped).toEqual({ phase: 'checking' });
  expect(canTap(stopped)).toBe(false);
  expect(payStep(stopped, { type: 'outcome', outcome: { kind: 'unknown' }, shown: brl(4990) }).phase).toBe('checking');
  expect(run({ type: 'stop' })).toEqual(idleState);
});

test('removes a notice when the customer corrects the form', () => {
  const declined: PayState = { phase: 'idle', notice: { kind: 'declined', code: 302, orderId: undefined } };
  expect(payStep(declined, { type: 'edited' })).toEqual({ phase: 'idle' });
  expect(payStep({ phase: 'checking' }, { type: 'edited' })).toEqual({ phase: 'checking' });
});

test('sends nothing if the coupon is refused while paying', () => {
  expect(run({ type: 'tap' }, { type: 'valueFailed', code: 9003 })).toEqual({
    phase: 'idle',
    notice: { kind: 'refused', code: 9003 },
  });
  expect(run({ type: 'tap' }, { type: 'valueFailed', code: undefined })).toEqual({
    phase: 'idle',
    notice: { kind: 'notSent' },
  });
});
