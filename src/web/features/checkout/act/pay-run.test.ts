import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentAnswer, PaymentMethod, Quote } from '#contract/billing.ts';
import { emptyPayerForm } from '#web/domain/payments/payer/payer-form.ts';
import { installErrorEffects } from '#web/platform/api/perform.ts';
import { errorCode } from '#contract/error-codes.ts';
import { configureApi } from '#web/platform/api/exchange.ts';
import { clearSession, setSession } from '#web/platform/session/session.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { recordNetworkSuccess } from '#web/platform/api/network/network-state.ts';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';
import { noTip } from './pay-machine.ts';
import type { PayHooks, PayPlan } from './pay-plan.ts';
import { runPayment } from './pay-run.ts';
import { createMachine } from './pay-session.ts';

const uid = 'u1';
const planId = '101';
const method: PaymentMethod = {
  code: 'wallet',
  name: 'Wallet',
  icon: 'wallet',
  discount: 0,
  currencies: ['USD'],
  fields: [],
  settles: 'instant',
  flow: 'redirect',
  maxInstallments: 1,
  savesCard: false,
  renews: false,
  accountPage: false,
};
const total = { amount: 499, currency: 'USD' };
const quote = { quoteId: 'q', total, renewal: null } as unknown as Quote; // nothing else of it is read
const paid: PaymentAnswer = {
  orderId: 'LUMEN0001',
  status: 'PAYMENT_SUCCEEDED',
  resultToken: 't'.repeat(32),
  next: { type: 'none' },
};

let browser: TestBrowser;
/** the keys of the payments that were sent, in order */
let sent: (string | null)[];
let answers: (() => Response)[];
const answered = () => Response.json({ code: 0, data: paid });
const lost = () => {
  throw new TypeError('Failed to fetch');
};

beforeEach(() => {
  browser = openBrowser();
  vi.stubGlobal('location', new URL('http://shop.example/payment'));
  sent = [];
  answers = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.endsWith('/api/bill/pay/v1')) return Response.json({ code: 0, data: {} });
    sent.push(request.headers.get('idempotency-key'));
    return (answers.shift() ?? answered)();
  });
  configureApi({ base: 'http://shop.example' });
  setSession({
    token: 'token-of-ana-0123456789',
    uid,
    account: 'ana@example.com',
    type: 'email',
    payStatus: 0,
  } as never);
});
afterEach(() => {
  clearSession('logout');
  // else the next probe of the network comes when this browser is gone
  recordNetworkSuccess();
  vi.unstubAllGlobals();
});

const plan: PayPlan = {
  uid,
  input: { planId, methodCode: 'wallet', currency: 'USD', discountCode: undefined, orderId: undefined },
  method,
  installments: 1,
  form: emptyPayerForm,
  orderId: undefined,
  replaceAttempt: false,
  shown: total,
  accepted: [],
};
const intent = () => purchaseIntent(uid, planId).getOrCreate();

/** A tap on an open page. `read` returns the data of the price and the tip. */
function tapped(read: (key: string) => Promise<unknown>) {
  const machine = createMachine({ phase: 'revaluing' });
  const leave = machine.open();
  const stopping = new AbortController();
  const client = new QueryClient();
  const cancelled: unknown[] = [];
  vi.spyOn(client, 'fetchQuery').mockImplementation(({ queryKey }) => read(String(queryKey[0])));
  vi.spyOn(client, 'cancelQueries').mockImplementation(async (filters) => void cancelled.push(filters?.queryKey?.[0]));
  const hooks: PayHooks = { client, send: machine.send, isMounted: machine.alive, stop: stopping.signal };
  return {
    machine,
    leave,
    stopping,
    cancelled,
    run: (more: Partial<PayPlan> = {}) => runPayment({ ...plan, ...more }, hooks),
  };
}
const fresh = async (key: string) => (key === 'paymentTip' ? noTip : quote);

describe('A tap that pays', () => {
  it('opens the page of a new password if the customer has to choose one first', async () => {
    const navigate = vi.fn();
    installErrorEffects({ toast: () => undefined, navigate, endSession: () => undefined });
    answers = [() => Response.json({ code: errorCode('resetPasswordFirst'), message: '' }, { status: 403 })];
    const { machine, run } = tapped(fresh);
    await run();
    expect(navigate).toHaveBeenCalledTimes(1);
    expect(machine.getState()).toMatchObject({ phase: 'idle', notice: { kind: 'refused' } });
  });

  it('sends one request, with the key of the intent', async () => {
    const { idempotencyKey } = intent();
    const { machine, run } = tapped(fresh);
    await run();
    expect(sent).toEqual([idempotencyKey]);
    expect(machine.getState()).toMatchObject({ phase: 'next', answer: { orderId: 'LUMEN0001' } });
  });

  it('sends nothing if stopped while the price is read, and reads it again at the next tap', async () => {
    const { stopping, cancelled, machine, run } = tapped(() => new Promise(() => {}));
    const running = run();
    machine.send({ type: 'stop' });
    stopping.abort();
    await running;
    expect(sent).toEqual([]);
    expect(intent().sentAt).toBeUndefined();
    expect(cancelled).toEqual(['goodsValuation', 'installmentsPlan', 'paymentTip']);
    expect(machine.getState()).toMatchObject({ phase: 'idle', notice: { kind: 'notSent' } });
  });

  it('sends nothing if its page is left while the price is read', async () => {
    const { leave, run } = tapped(async (key) => {
      leave();
      return fresh(key);
    });
    await run();
    expect(sent).toEqual([]);
    expect(intent().sentAt).toBeUndefined();
  });

  it('waits for another tap at a new price, before a captcha is solved', async () => {
    const takeTicket = vi.fn<NonNullable<PayPlan['takeTicket']>>();
    const { machine, run } = tapped(fresh);
    await run({ shown: { amount: 399, currency: 'USD' }, takeTicket });
    expect(machine.getState()).toMatchObject({ phase: 'priceChanged', total });
    expect(takeTicket).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });

  it('is not recorded as sent before the captcha is answered', async () => {
    const noted: unknown[] = [];
    const { run } = tapped(fresh);
    await run({
      takeTicket: async () => {
        noted.push(intent().sentAt, ...sent);
        return { captchaId: 'c', captcha: 'ticket' };
      },
    });
    expect(noted).toEqual([undefined]);
    expect(sent).toHaveLength(1);
  });

  it('resends the same request with the same key if its response is lost', async () => {
    const { idempotencyKey } = intent();
    answers = [lost];
    const { machine, run } = tapped(fresh);
    const running = run();
    await vi.waitFor(() => expect(machine.getState().phase).toBe('checking'));
    // the wait ends when the connection is back
    const online = setInterval(() => browser.events.dispatchEvent(new Event('online')), 5);
    await running.finally(() => clearInterval(online));
    expect(sent).toEqual([idempotencyKey, idempotencyKey]);
    expect(machine.getState()).toMatchObject({ phase: 'next' });
  });
});
