import { expect, test } from 'vitest';
import type { PaymentAnswer } from '#contract/billing.ts';
import { anOrder } from '#tests/builders/an-order-seen.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { atRest, canTap, isBusy, retainsKey, noTip, payStep, type PayEvent, type PayState } from './pay-machine.ts';
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
const run = (...events: PayEvent[]): PayState => events.reduce(payStep, atRest);
const sending = [{ type: 'tap' }, valued()] as const;

test('one tap values the price again and sends when nothing has changed', () => {
  expect(run({ type: 'tap' }).phase).toBe('revaluing');
  expect(run(...sending).phase).toBe('sending');
});

test('a second tap while the first is at work does nothing', () => {
  expect(run({ type: 'tap' }, { type: 'tap' })).toEqual({ phase: 'revaluing' });
  expect(run(...sending, { type: 'tap' })).toEqual({ phase: 'sending' });
  expect(canTap(run(...sending))).toBe(false);
});

test('a price that changed meanwhile is shown, old and new, and only another tap pays it', () => {
  const changed = run({ type: 'tap' }, valued({ total: brl(5490) }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5490) });
  const again = [{ type: 'tap' } as const, valued({ shown: brl(5490), total: brl(5490) })].reduce(payStep, changed);
  expect(again.phase).toBe('sending');
});

test('a price of the renewal that changed meanwhile is shown, and only another tap agrees to it', () => {
  const later = { shown: brl(4990), total: brl(5990) };
  const changed = run({ type: 'tap' }, valued({ later }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5990), ofRenewal: true });
  const seen = valued({ later: { shown: brl(5990), total: brl(5990) } });
  expect([{ type: 'tap' } as const, seen].reduce(payStep, changed).phase).toBe('sending');
});

test('who is told of a new total hears of the renewal that changed with it once', () => {
  const changed = run({ type: 'tap' }, valued({ total: brl(5490), later: { shown: brl(4990), total: brl(5490) } }));
  expect(changed).toEqual({ phase: 'priceChanged', was: brl(4990), total: brl(5490), renewal: brl(5490) });
});

test('an unfinished order asks what to do before a second one is made', () => {
  const asked = run({ type: 'tap' }, valued({ tip: { ...noTip, unfinished: order } }));
  expect(asked).toEqual({ phase: 'unfinished', order });
  const accepted = valued({ tip: { ...noTip, unfinished: order }, accepted: [order.orderId] });
  expect([{ type: 'tap' } as const, accepted].reduce(payStep, asked).phase).toBe('sending');
});

test('who looks at a checkout whose plan another tab has paid hears of it, unless they know', () => {
  const justPaid = { ...order, status: 'PAYMENT_SUCCEEDED' as const };
  const told: PayEvent = { type: 'paidElsewhere', justPaid, accepted: [] };
  expect(run(told)).toEqual({ phase: 'justPaid', order: justPaid });
  expect(run({ ...told, accepted: [order.orderId] })).toEqual(atRest);
  expect(run({ ...told, justPaid: null })).toEqual(atRest);
  // a request in progress continues
  expect(run(...sending, told).phase).toBe('sending');
});

test('somebody who paid for this plan minutes ago is asked once more', () => {
  const tip = { ...noTip, justPaid: { ...order, status: 'PAYMENT_SUCCEEDED' as const } };
  expect(run({ type: 'tap' }, valued({ tip })).phase).toBe('justPaid');
});

test('a cut connection means checking, never a second charge, and ends when the answer is known', () => {
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

test('a server that stumbled, garbage, and a code nobody knows are all unknown', () => {
  const failures = [
    new ApiError('http', 'pay', { status: 502 }),
    new ApiError('http', 'pay', { status: 408 }),
    new ApiError('malformed', 'pay'),
    ...[2000, 5008, 1015, -1112, -2499, 424242].map((code) => refused(code)),
  ];
  for (const failure of failures) expect(outcomeOfError(failure)).toEqual({ kind: 'unknown' });
});

test('a decline says which order it was, and the next try repays the same order by a new key', () => {
  const outcome = outcomeOfError(refused(315, { orderId: order.orderId }));
  expect(outcome).toEqual({ kind: 'declined', code: 315, orderId: order.orderId });
  expect(retainsKey(outcome)).toBe(false);
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) })).toEqual({
    phase: 'idle',
    notice: { kind: 'declined', code: 315, orderId: order.orderId },
  });
});

test('an answer that tells of a failed try is a decline too', () => {
  const failed = outcomeOfAnswer({ ...answer, status: 'PAYMENT_FAILED', failureCode: 302 });
  expect(failed).toEqual({ kind: 'declined', code: 302, orderId: order.orderId });
});

test('a key that another tab has spent leads to checking and is kept', () => {
  const outcome = outcomeOfError(refused(5000, { field: 'Idempotency-Key' }));
  expect(outcome).toEqual({ kind: 'spent' });
  expect(retainsKey(outcome)).toBe(true);
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) }).phase).toBe('checking');
});

test('a price that the server changed between valuing and paying needs a second tap', () => {
  const outcome = outcomeOfError(refused(1015, { newTotal: brl(5990) }));
  expect(run(...sending, { type: 'outcome', outcome, shown: brl(4990) })).toEqual({
    phase: 'priceChanged',
    was: brl(4990),
    total: brl(5990),
  });
});

test('the key survives everything but a clear no', () => {
  expect(retainsKey({ kind: 'unknown' })).toBe(true);
  expect(retainsKey(outcomeOfError(refused(-3031)))).toBe(true);
  expect(retainsKey(outcomeOfError(refused(9003)))).toBe(false);
  expect(outcomeOfError(refused(-24020))).toEqual({ kind: 'signedOut' });
});

test('a captcha, and a wait after too many attempts, keep the key and say what is needed', () => {
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

test('a provider that is asked too quickly has declined, and the order is repaid by a new key', () => {
  const outcome = outcomeOfError(refused(-3031, { orderId: order.orderId }));
  expect(outcome).toEqual({ kind: 'declined', code: -3031, orderId: order.orderId });
  expect(retainsKey(outcome)).toBe(false);
  const answered = outcomeOfAnswer({ ...answer, status: 'PAYMENT_FAILED', failureCode: -3031 });
  expect(answered).toEqual({ kind: 'declined', code: -3031, orderId: order.orderId });
});

test('a transfer that nobody would receive is a clear no', () => {
  const outcome = outcomeOfError(refused(-2602));
  expect(outcome).toMatchObject({ kind: 'refused', code: -2602, replaceKey: true });
});

test('who stops waiting before anything was sent has paid nothing, and afterwards is told that it is being checked', () => {
  expect(run({ type: 'tap' }, { type: 'stop' })).toEqual({ phase: 'idle', notice: { kind: 'notSent' } });
  // a price that arrives later sends nothing
  expect(run({ type: 'tap' }, { type: 'stop' }, valued()).phase).toBe('idle');
  const stopped = run(...sending, { type: 'stop' });
  expect(stopped).toEqual({ phase: 'checking' });
  expect(canTap(stopped)).toBe(false);
  expect(payStep(stopped, { type: 'outcome', outcome: { kind: 'unknown' }, shown: brl(4990) }).phase).toBe('checking');
  expect(run({ type: 'stop' })).toEqual(atRest);
});

test('a notice goes away when the customer mends the form', () => {
  const declined: PayState = { phase: 'idle', notice: { kind: 'declined', code: 302, orderId: undefined } };
  expect(payStep(declined, { type: 'edited' })).toEqual({ phase: 'idle' });
  expect(payStep({ phase: 'checking' }, { type: 'edited' })).toEqual({ phase: 'checking' });
});

test('a discount code that is refused while paying sends nothing', () => {
  expect(run({ type: 'tap' }, { type: 'valueFailed', code: 9003 })).toEqual({
    phase: 'idle',
    notice: { kind: 'refused', code: 9003 },
  });
  expect(run({ type: 'tap' }, { type: 'valueFailed', code: undefined })).toEqual({
    phase: 'idle',
    notice: { kind: 'notSent' },
  });
});
