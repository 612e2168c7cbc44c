import { attempts } from '#server/db/schema/attempts.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * Verifies a merchant of UseePay's sandbox (pay-gateway1.uat.useepay.com): its keys, a page, the query, and, if the
 * printed page is paid with one of UseePay's test cards within five minutes, the payment and its refund. Notices are
 * not verified, because UseePay would have to reach the shop.
 */
export const proof = {
  needs: ['USEEPAY_MERCHANT_NO', 'USEEPAY_APP_ID', 'USEEPAY_PRIVATE_KEY', 'USEEPAY_PUBLIC_KEY'],
  prove: async ({ env, shop: open, see, wait }) => {
    see('it is the sandbox', env['USEEPAY_ENVIRONMENT'] !== 'live');
    const shop = await open({ gateway: 'useepay', methodCode: 'card', currency: 'USD' });
    const gateway = shop.deps.gateways.useepay;
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`UseePay answers: ${checked?.says}`, checked?.isReachable === true);
    const ana = await shop.buyer({ host: 'mego.localhost' });
    const { data } = await ana.pay({ planId: '201', methodCode: 'card', currency: 'USD', card: undefined });
    see('a page is opened', data.next.type === 'redirect');
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    const key = row?.key ?? '';
    see('the query returns it as pending', (await gateway.inquire(key)).state === 'pending');
    see('and returns nothing for another id', (await gateway.inquire(crypto.randomUUID())).state === 'failed');
    console.info(`     pay here, or wait: ${data.next.type === 'redirect' ? data.next.url : ''}`);
    for (let tries = 0; tries < 30; tries += 1) {
      const { state } = await gateway.inquire(key);
      if (state === 'succeeded') {
        console.info(`     refund: ${JSON.stringify(await gateway.refund(key))}`);
        return see('it was paid, and the refund was requested', true);
      }
      await wait(10);
    }
    see('an unpaid payment can be cancelled', ['expired', 'failed'].includes((await gateway.cancel(key)).state));
  },
} satisfies Proof;
