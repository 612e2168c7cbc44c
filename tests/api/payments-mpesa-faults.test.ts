import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { mpesaGateway } from '#server/payments/mpesa/gateway.ts';
import { byMpesa } from '#tests/builders/by-mpesa.ts';
import { mpesaAccess } from '#tests/fixtures/mpesa/server.ts';

/** What happens when Daraja is not reached, or does not know the shop. */
const minute = 60_000;
const push = /stkpush\/v1/;
const query = /stkpushquery/;
const story = byMpesa();
const { host, wish, gateway, callBack, ask, anOrder, booked, tries } = story;

describe('when the wire to Daraja breaks', () => {
  it.each(['inside', 'after'] as const)(
    '%s the answer to a push, nobody is pushed twice, and the callback pays',
    async (fault) => {
      story.mpesa.failNext(push, fault);
      const { orderId, status, statusOf } = await anOrder();
      expect(status).toBe('SUBMITTED');
      const before = story.mpesa.pushes.length;
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
      expect(story.mpesa.pushes.length).toBe(before);
      expect(await statusOf()).toBe('SUBMITTED');
      expect(await callBack('0')).toBe(200);
      expect(await booked(orderId)).toEqual(['capture 45000']);
    },
  );

  it('before Daraja hears of it, the order can be paid again after some minutes', async () => {
    story.mpesa.failNext(push, 'before');
    const { ana, orderId, statusOf } = await anOrder();
    await ask(5 * minute);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect((await ana.repay(orderId, wish())).data).toMatchObject({ next: { type: 'push' } });
  });

  it('and the shop asks about a key that was not pushed yet, it never is', async () => {
    const { orderId } = await anOrder();
    await callBack('1032');
    const [row] = await tries(orderId);
    const key = crypto.randomUUID();
    await story.shop.db
      .insert(attempts)
      .values({ ...(row ?? expect.fail()), id: key, idempotencyKey: key, state: 'FAILED', providerRef: null });
    expect(await gateway().inquire(key)).toMatchObject({ state: 'failed' });
    const before = story.mpesa.pushes.length;
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
    expect(story.mpesa.pushes.length).toBe(before);
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
    'a refusal for %s is told at once, and nothing was pushed',
    async (_what, status, errorCode, errorMessage, code) => {
      story.mpesa.failNext(push, { status, body: { requestId: 'r', errorCode, errorMessage } });
      const ana = await story.shop.buyer({ host });
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
  ])('%s says nothing for sure', async (_what, reply) => {
    story.mpesa.failNext(push, reply);
    expect((await anOrder()).status).toBe('SUBMITTED');
  });

  it('no answer at all to a question says nothing', async () => {
    const { orderId } = await anOrder();
    const account = {
      base: story.mpesa.origin,
      consumerKey: mpesaAccess.MPESA_CONSUMER_KEY,
      consumerSecret: mpesaAccess.MPESA_CONSUMER_SECRET,
      shortCode: '174379',
      passkey: mpesaAccess.MPESA_PASSKEY,
      till: undefined,
      initiator: undefined,
      send: (request: Request) => fetch(request, { signal: AbortSignal.timeout(100) }),
    };
    story.mpesa.failNext(query, 'silent');
    expect(await mpesaGateway(account, story.shop.deps).inquire((await tries(orderId))[0]?.id ?? '')).toEqual({
      state: 'unknown',
    });
  });
});

describe('the token', () => {
  it('is asked for once, kept for its hour, and asked for again when another process has ended it', async () => {
    await anOrder();
    const before = story.mpesa.tokens.length;
    await anOrder();
    expect(story.mpesa.tokens.length).toBe(before);
    story.mpesa.endTokens();
    expect((await anOrder()).status).toBe('PAYMENT_PENDING');
    expect(story.mpesa.tokens.length).toBe(before + 1);
    story.shop.clock.advance(60 * minute);
    expect((await anOrder()).status).toBe('PAYMENT_PENDING');
    expect(story.mpesa.tokens.length).toBe(before + 2);
  });

  it('that is not given pushes nobody', async () => {
    story.mpesa.endTokens();
    story.mpesa.failNext(/oauth/, { status: 500 });
    story.shop.clock.advance(60 * minute);
    const before = story.mpesa.pushes.length;
    expect((await (await story.shop.buyer({ host })).pay(wish())).errCode).toBe(2003);
    expect(story.mpesa.pushes.length).toBe(before);
  });
});
