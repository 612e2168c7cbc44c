import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { mpesaGateway } from '#server/payments/mpesa/gateway.ts';
import { byMpesa } from '#tests/builders/by-mpesa.ts';
import { mpesaAccess } from '#tests/fixtures/mpesa/server.ts';

/** What M-Pesa calls back with, of payments and of money that goes back. */
const minute = 60_000;
const story = byMpesa();
const { lines, wish, post, gateway, callBack, ask, anOrder, booked, tries } = story;

describe('a callback', () => {
  it('counts once, and a no that comes before or after the money changes nothing', async () => {
    const { orderId, statusOf } = await anOrder();
    const no = story.mpesa.end('1037');
    const yes = story.mpesa.end('0');
    for (const one of [no, yes, yes, no]) expect(await post(one)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 45000']);
    expect(await gateway().inquire((await tries(orderId))[0]?.id ?? '')).toMatchObject({ state: 'succeeded' });
  });

  it('is refused at an address that was not made for it, and changes nothing', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = story.mpesa.end('0');
    const other = story.mpesa.pushes.at(-2)?.callback ?? '';
    const key = url.split('.').at(-2) ?? '';
    const wrong = [
      url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
      url.slice(0, -3),
      url.replace('/push.', '/reversal.'),
      url.replace(key, other.split('.').at(-2) ?? ''),
      url.slice(0, url.lastIndexOf('/')),
      `${url.slice(0, url.lastIndexOf('/'))}/x`,
      // of another payment, with the body of this one
      other,
    ];
    for (const address of wrong) expect([401, address]).toEqual([await post({ url: address, body }), address]);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await post({ url, body: '{}' })).toBe(401);
    expect(await post({ url, body })).toBe(200);
  });

  it('comes to an address without the words that Daraja refuses, and the former address still works', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = story.mpesa.end('0');
    const { pathname } = new URL(url);
    expect(pathname).toMatch(/^\/webhooks\/mobile-money\/push\./);
    expect(pathname).not.toMatch(/m-?pesa|safaricom|exe|cmd|sql|query/i);
    const [, key = ''] = /push\.([^.]+)\./.exec(pathname) ?? [];
    const code = createHmac('sha256', derivedKey(story.shop.deps.env, 'mpesa callback')).update(`push ${key}`);
    const former = new URL(`/webhooks/mpesa/push.${key}.${code.digest('base64url')}`, url).href;
    expect(await post({ url: former, body })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  it('leaves its secret in no log', async () => {
    await anOrder();
    const callback = story.mpesa.end('0');
    await post(callback);
    await post({ ...callback, url: `${callback.url}x` });
    const log = lines.join('');
    expect(log).toContain('/webhooks/{gateway}/{secret}');
    expect(log).not.toContain(callback.url.split('.').at(-1));
    for (const secret of [mpesaAccess.MPESA_CONSUMER_SECRET, mpesaAccess.MPESA_PASSKEY, 'token-'])
      expect(log).not.toContain(secret);
  });

  it('of another amount books nothing', async () => {
    const { orderId, statusOf } = await anOrder();
    expect(await callBack('0', { amount: 1 })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    expect(await booked(orderId)).toEqual([]);
  });

  it('that is lost is asked for', async () => {
    const { orderId, statusOf } = await anOrder();
    await ask();
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    const lost = story.mpesa.end('0');
    await ask();
    expect(await booked(orderId)).toEqual(['capture 45000']);
    // late, it still brings the receipt
    expect(await post(lost)).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000']);
  });
});

describe('giving money back', () => {
  /** An order that was paid twice: by a push that was answered late, and by the one after it. */
  async function paidTwice() {
    const { ana, orderId } = await anOrder();
    const late = story.mpesa.pushes.at(-1);
    await callBack('1037');
    await ana.repay(orderId, wish());
    await callBack('0');
    story.mpesa.pushes.push(late ?? expect.fail());
    await callBack('0');
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000']);
    return { orderId, receipt: late?.receipt };
  }

  it('asks M-Pesa to reverse the payment by its receipt, and is done when M-Pesa says so, once', async () => {
    const { orderId, receipt } = await paidTwice();
    expect(await refundDuplicates(story.shop.deps)).toBe(0);
    expect(story.mpesa.reversals.at(-1)).toMatchObject({ transaction: receipt });
    const result = story.mpesa.endReversal('0');
    expect(await post(result)).toBe(200);
    expect(await post(result)).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000', 'refund -45000']);
    story.shop.clock.advance(10 * minute);
    const before = story.mpesa.reversals.length;
    expect(await refundDuplicates(story.shop.deps)).toBe(0);
    expect(story.mpesa.reversals.length).toBe(before);
  });

  it('asks again when M-Pesa could not, and hears that it was done before', async () => {
    const { orderId } = await paidTwice();
    story.mpesa.failNext(/reversal/, 'after');
    await refundDuplicates(story.shop.deps);
    expect(await post(story.mpesa.endReversal('1'))).toBe(200);
    story.shop.clock.advance(10 * minute);
    await refundDuplicates(story.shop.deps);
    expect(await post({ url: story.mpesa.reversals.at(-1)?.timeoutUrl ?? '', body: '{}' })).toBe(200);
    expect(await booked(orderId)).toHaveLength(2);
    expect(await post(story.mpesa.endReversal('R000001'))).toBe(200);
    expect(await booked(orderId)).toEqual(['capture 45000', 'capture 45000', 'refund -45000']);
  });

  it('is for people where nobody may reverse, and the shop asks no more', async () => {
    const { orderId } = await anOrder();
    await callBack('0');
    const account = {
      base: story.mpesa.origin,
      consumerKey: mpesaAccess.MPESA_CONSUMER_KEY,
      consumerSecret: mpesaAccess.MPESA_CONSUMER_SECRET,
      shortCode: '174379',
      passkey: mpesaAccess.MPESA_PASSKEY,
      till: undefined,
      initiator: undefined,
      send: fetch,
    };
    const before = story.mpesa.reversals.length;
    const answer = await mpesaGateway(account, story.shop.deps).refund((await tries(orderId))[0]?.id ?? '');
    expect(answer).toEqual({ never: expect.stringContaining('MPESA_INITIATOR') as string });
    expect(story.mpesa.reversals.length).toBe(before);
  });

  it('waits a day for the receipt of one whose callback was lost, and is for people then', async () => {
    const { orderId } = await anOrder();
    story.mpesa.end('0');
    await ask();
    expect(await booked(orderId)).toEqual(['capture 45000']);
    const key = (await tries(orderId))[0]?.id ?? '';
    expect(await gateway().refund(key)).toBe(false);
    story.shop.clock.advance(24 * 60 * minute);
    expect(await gateway().refund(key)).toEqual({ never: expect.stringContaining('receipt') as string });
  });
});
