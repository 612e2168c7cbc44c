import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setSession } from '#web/platform/session/session.ts';
import { checkoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { openHandedCheckout } from './answer-handed-checkout.ts';

beforeEach(() => {
  openBrowser();
  setSession({
    token: 't'.repeat(43),
    uid: 'U1',
    account: 'ana@example.com',
    type: 'email',
    accountLoginType: 'device',
    payStatus: 'PAID',
    expiration: Date.now() + 3_600_000,
  });
});
afterEach(() => void vi.unstubAllGlobals());

const key = '3f0f2a52-6a0c-4b83-9c39-5d0ad9d0a001';

describe('a phone that continues a checkout', () => {
  it("restores the TV's choices and step, and sends the same key", () => {
    const chosen = { methodCode: 'pix', currency: 'BRL', installments: 1 };
    const path = openHandedCheckout({
      planId: '101',
      ...chosen,
      discountCode: 'TEN',
      language: 'pt',
      idempotencyKey: key,
    });
    expect(path).toBe('/payment?planId=101&currency=BRL&step=details');
    expect(checkoutDraft('101').get()).toEqual({ ...chosen, discountCode: 'TEN' });
    expect(purchaseIntent('U1', '101').getOrCreate().idempotencyKey).toBe(key);
  });

  it("retains its own key while its own payment may be in progress, and uses the TV's key afterwards", () => {
    const purchase = { planId: '101', language: 'pt', idempotencyKey: key } as const;
    const own = purchaseIntent('U1', '101');
    const { idempotencyKey } = own.getOrCreate();
    own.markSent();
    openHandedCheckout(purchase);
    expect(own.getOrCreate().idempotencyKey).toBe(idempotencyKey);
    vi.useFakeTimers({ now: Date.now() + 120_000 });
    openHandedCheckout(purchase);
    expect(own.getOrCreate()).toEqual({ planId: '101', idempotencyKey: key, createdAt: Date.now() });
    vi.useRealTimers();
  });

  it('uses its own defaults for what was not chosen, and pays an unpaid order', () => {
    const bare = { planId: '101', language: 'pt', idempotencyKey: key } as const;
    expect(openHandedCheckout(bare)).toBe('/payment?planId=101');
    expect(checkoutDraft('101').get()).toEqual({});
    expect(openHandedCheckout({ ...bare, orderId: 'ABCDEFGH1234' })).toBe('/payment?planId=101&orderId=ABCDEFGH1234');
  });
});
