import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { mpesaGateway } from '#server/payments/mpesa/gateway.ts';
import { byMpesa } from '#tests/builders/mpesa-shop.ts';
import { mpesaAccess } from '#tests/fixtures/mpesa/server.ts';

/** Failures of the connection to Daraja, and refusals by it. */
const minute = 60_000;
const push = /stkpush\/v1/;
const query = /stkpushquery/;
const setup = byMpesa();
const { host, wish, gateway, callBack, ask, anOrder, booked, tries } = setup;

describe('a connection failure to Daraja', () => {
  it.each(['inside', 'after'] as const)(
    '%s the answer to a push sends no second push, and the callback pays',
    async (fault) => {
      setup.mpesa.failNext(push, fault);
      const { orderId, status, statusOf } = await anOrder();
      expect(status).toBe('SUBMITTED');
      const before = setup.mpesa.pushes.length;
      await ask();
      await gateway().authorise({
        key: (await tries(orderId))[0]?.id ?? '',
        brand: 'baobab',
        merchantName: 'Baobab',
        methodCode: 'mpesa',
        amount: 45_000,
        currency: 'KES',
        installments: 1,
        diallingCode: '254',
        returnUrl: '',
        orderLabel: orderId,
        payer: { phone: '712345678' },
      });
      expect(setup.mpesa.pushes.length).toBe(before);
      expect(await statusOf()).toBe('SUBMITTED');
      expect(await callBack('0')).toBe(200);
      expect(await booked(orderId)).toEqual(['capture 45000']);
    },
  );

  it('before the push was received allows another payment after some minutes', async () => {
    setup.mpesa.failNext(push, 'before');
    const { ana, orderId, statusOf } = await anOrder();
    await ask(5 * minute);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect((await ana.repay(orderId, wish())).data).toMatchObject({ next: { type: 'push' } });
  });

  it('closes an inquired key, so that a late request cannot push it', async () => {
    const { orderId } = await anOrder();
    await callBack('1032');
    const [row] = await tries(orderId);
    const key = crypto.randomUUID();
    await setup.shop.db
      .insert(attempts)
      .values({ ...(row ?? expect.fail()), id: key, idempotencyKey: key, state: 'FAILED', providerRef: null });
    expect(await gateway().inquire(key)).toMatchObject({ state: 'failed' });
    const before = setup.mpesa.pushes.length;
    const late = { key, brand: 'baobab', merchantName: 'Baobab', methodCode: 'mpesa', amount: 45_000, currency: 'KES' };
    const answer = await gateway().authorise({
      ...late,
      installments: 1,
      diallingCode: '254',
      payer: { phone: '712345678' },
      returnUrl: '',
      orderLabel: orderId,
    });
    expect(answer).toMatchObject({ state: 'failed' });
    expect(setup.mpesa.pushes.length).toBe(before);
  });

  it.each([
    [
      'a busy phone',
      500,
      '500.001.1001',
      'Unable to lock subscriber, a transaction is already in process for the current subscriber',
      -3031,
    ],
    ['wrong credentials', 500, '500.001.1001', 'Wrong credentials', 2003],
    ['too many requests a second', 500, '500.003.02', 'Error Occurred: Spike Arrest Violation', -3031],
    ['a field that it does not take', 400, '400.002.02', 'Bad Request - Invalid PhoneNumber', 2003],
  ])(
    'a refusal for %s is reported at once, and nothing was pushed',
    async (_what, status, errorCode, errorMessage, code) => {
      setup.mpesa.failNext(push, { status, body: { requestId: 'r', errorCode, errorMessage } });
      const ana = await setup.shop.buyer({ host });
      expect((await ana.pay(wish())).errCode).toBe(code);
    },
  );

  it.each([
    [
      'a busy system',
      {
        status: 500,
        body: {
          requestId: 'r',
          errorCode: '500.003.02',
          errorMessage: 'System is busy. Please try again in few minutes.',
        },
      },
    ],
    ['too many requests', { status: 429, body: {} }],
    ['a page of a proxy', { status: 502, body: '<html>' }],
  ])('after %s, nothing is concluded', async (_what, reply) => {
    setup.mpesa.failNext(push, reply);
    expect((await anOrder()).status).toBe('SUBMITTED');
  });

  it('after no answer to a query, nothing is concluded', async () => {
    const { orderId } = await anOrder();
    const account = {
      base: setup.mpesa.origin,
      consumerKey: mpesaAccess.MPESA_CONSUMER_KEY,
      consumerSecret: mpesaAccess.MPESA_CONSUMER_SECRET,
      shortCode: '174379',
      passkey: mpesaAccess.MPESA_PASSKEY,
      till: undefined,
      initiator: undefined,
      send: (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) }),
    };
    setup.mpesa.failNext(query, 'silent');
    expect(await mpesaGateway(account, setup.shop.deps).inquire((await tries(orderId))[0]?.id ?? '')).toEqual({
      state: 'unknown',
    });
  });
});

describe('the access token', () => {
  it('is requested once, cached for an hour, and requested again after it was invalidated', async () => {
    await anOrder();
    const before = setup.mpesa.tokens.length;
    await anOrder();
    expect(setup.mpesa.tokens.length).toBe(before);
    setup.mpesa.endTokens();
    expect((await anOrder()).status).toBe('PAYMENT_PENDING');
    expect(setup.mpesa.tokens.length).toBe(before + 1);
    setup.shop.clock.advance(60 * minute);
    expect((await anOrder()).status).toBe('PAYMENT_PENDING');
    expect(setup.mpesa.tokens.length).toBe(before + 2);
  });

  it('that could not be obtained prevents the push', async () => {
    setup.mpesa.endTokens();
    setup.mpesa.failNext(/oauth/, { status: 500 });
    setup.shop.clock.advance(60 * minute);
    const before = setup.mpesa.pushes.length;
    expect((await (await setup.shop.buyer({ host })).pay(wish())).errCode).toBe(2003);
    expect(setup.mpesa.pushes.length).toBe(before);
  });
});

describe('a customer who takes a while to enter the PIN', () => {
  it('is no outage of M-Pesa, although Daraja answers with status 500', async () => {
    const { statusOf } = await anOrder();
    for (let round = 0; round < 3; round += 1) await ask();
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(setup.mpesa.asked.filter(({ path }) => query.test(path)).length).toBeGreaterThanOrEqual(3);
    expect(setup.shop.deps.metrics.providers.get('mpesa')).toMatchObject({ failuresInRow: 0 });
  });
});
