import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { mpesaGateway } from '#server/payments/mpesa/gateway.ts';
import { byMpesa } from '#tests/builders/mpesa-shop.ts';
import { mpesaAccess } from '#tests/fixtures/mpesa/server.ts';

/** Callbacks of M-Pesa for payments and for reversals. */
const minute = 60_000;
const setup = byMpesa();
const { lines, wish, post, gateway, callBack, ask, anOrder, booked, tries } = setup;

describe('a callback of M-Pesa', () => {
  it('counts once, and a failure before or after the payment changes nothing', async () => {
    const { orderId, statusOf } = await anOrder();
    const no = setup.mpesa.end('1037');
    const yes = setup.mpesa.end('0');
    for (const one of [no, yes, yes, no]) expect(await post(one)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 45000']);
    expect(await gateway().inquire((await tries(orderId))[0]?.id ?? '')).toMatchObject({ state: 'succeeded' });
  });

  it('at an address of another payment or kind is refused and changes nothing', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = setup.mpesa.end('0');
    const other = setup.mpesa.pushes.at(-2)?.callback ?? '';
    const key = url.split('.').at(-2) ?? '';
    const wrong = [
      url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
      url.slice(0, -3),
      url.replace('/push.', '/reversal.'),
      url.replace(key, other.split('.').at(-2) ?? ''),
      url.slice(0, url.lastIndexOf('/')),
      `${url.slice(0, url.lastIndexOf('/'))}/x`,
      // the address of another payment with this body
      other,
    ];
    for (const address of wrong) expect([401, address]).toEqual([await post({ url: address, body }), address]);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await post({ url, body: '{}' })).toBe(401);
    expect(await post({ url, body })).toBe(200);
  });

  it('has an address without the words that Daraja refuses, and the former address still works', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = setup.mpesa.end('0');
    const { pathname } = new URL(url);
    expect(pathname).toMatch(/^\/webhooks\/mobile-money\/push\./);
    expect(pathname).not.toMatch(/m-?pesa|safaricom|exe|cmd|sql|query/i);
    const [, key = ''] = /push\.([^.]+)\./.exec(pathname) ?? [];
    const code = createHmac('sha256', derivedKey(setup.shop.deps.env, 'mpesa callback')).update(`push ${key}`);
    const former = new URL(`/webhooks/mpesa/push.${key}.${code.digest('base64url')}`, url).href;
    expect(await post({ url: former, body })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  it('does not log its secret', async () => {
    await anOrder();
    const callback = setup.mpesa.end('0');
    await post(callback);
    await post({ ...callback, url: `${callback.url}x` });
    const log = lines.join('');
    expect(log).toContain('/webhooks/{gateway}/{secret}');
    expect(log).not.toContain(callback.url.split('.').at(-1));
    for (const secret of [mpesaAccess.MPESA_CONSUMER_SECRET, mpesaAccess.MPESA_PASSKEY, 'token-'])
      expect(log).not.toContain(secret);
  });

  it('with another amount books nothing', async () => {
    const { orderId, statusOf } = await anOrder();
    expect(await callBack('0', { amount: 1 })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await booked(orderId)).toEqual([]);
  });

  it('that is lost is replaced by a query', async () => {
    const { orderId, statusOf } = await anOrder();
    await ask();
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    const lost = setup.mpesa.end('0');
    await ask();
    expect(await booked(orderId)).toEqual(['capture 45000']);
    // the late callback still brings the receipt number
    expect(await post(lost)).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000']);
  });
});

describe('refunding by M-Pesa', () => {
  /** An order that was paid twice: by a push that was answered late, and by a second push. */
  async function paidTwice() {
    const { ana, orderId } = await anOrder();
    const late = setup.mpesa.pushes.at(-1);
    await callBack('1037');
    await ana.repay(orderId, wish());
    await callBack('0');
    setup.mpesa.pushes.push(late ?? expect.fail());
    await callBack('0');
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000']);
    return { orderId, receipt: late?.receipt };
  }

  it('requests a reversal by the receipt number, and books it once when M-Pesa confirms it', async () => {
    const { orderId, receipt } = await paidTwice();
    expect(await refundDuplicates(setup.shop.deps)).toBe(0);
    expect(setup.mpesa.reversals.at(-1)).toMatchObject({ transaction: receipt });
    const result = setup.mpesa.endReversal('0');
    expect(await post(result)).toBe(200);
    expect(await post(result)).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000', 'refund -45000']);
    setup.shop.clock.advance(10 * minute);
    const before = setup.mpesa.reversals.length;
    expect(await refundDuplicates(setup.shop.deps)).toBe(0);
    expect(setup.mpesa.reversals.length).toBe(before);
  });

  it('is retried after a failure, and completes if M-Pesa has already reversed the payment', async () => {
    const { orderId } = await paidTwice();
    setup.mpesa.failNext(/reversal/, 'after');
    await refundDuplicates(setup.shop.deps);
    expect(await post(setup.mpesa.endReversal('1'))).toBe(200);
    setup.shop.clock.advance(10 * minute);
    await refundDuplicates(setup.shop.deps);
    expect(await post({ url: setup.mpesa.reversals.at(-1)?.timeoutUrl ?? '', body: '{}' })).toBe(200);
    expect(await booked(orderId)).toHaveLength(2);
    expect(await post(setup.mpesa.endReversal('R000001'))).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000', 'refund -45000']);
  });

  it('is left to the operator without an initiator, and nothing is requested', async () => {
    const { orderId } = await anOrder();
    await callBack('0');
    const account = {
      base: setup.mpesa.origin,
      consumerKey: mpesaAccess.MPESA_CONSUMER_KEY,
      consumerSecret: mpesaAccess.MPESA_CONSUMER_SECRET,
      shortCode: '174379',
      passkey: mpesaAccess.MPESA_PASSKEY,
      till: undefined,
      initiator: undefined,
      send: fetch,
    };
    const before = setup.mpesa.reversals.length;
    const answer = await mpesaGateway(account, setup.shop.deps).refund((await tries(orderId))[0]?.id ?? '');
    expect(answer).toEqual({ permanentFailure: expect.stringContaining('MPESA_INITIATOR') as string });
    expect(setup.mpesa.reversals.length).toBe(before);
  });

  it('waits a day for the receipt number after a lost callback, and is then left to the operator', async () => {
    const { orderId } = await anOrder();
    setup.mpesa.end('0');
    await ask();
    expect(await booked(orderId)).toEqual(['capture 45000']);
    const key = (await tries(orderId))[0]?.id ?? '';
    expect(await gateway().refund(key)).toBe(false);
    setup.shop.clock.advance(24 * 60 * minute);
    expect(await gateway().refund(key)).toEqual({ permanentFailure: expect.stringContaining('receipt') as string });
  });
});
