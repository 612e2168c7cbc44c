import { attempts } from '#server/db/schema/attempts.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * A merchant of UseePay's sandbox (pay-gateway1.uat.useepay.com): its keys, a page, what the query says of it, and, where a
 * person pays at the printed page with one of UseePay's test cards within five minutes, the money and its way back. Notices
 * need a shop that UseePay can reach, and are not part of it.
 */
export const proof = {
  needs: ['USEEPAY_MERCHANT_NO', 'USEEPAY_APP_ID', 'USEEPAY_PRIVATE_KEY', 'USEEPAY_PUBLIC_KEY'],
  prove: async ({ env, shop: open, see, wait }) => {
    see('it is the sandbox', env['USEEPAY_ENVIRONMENT'] !== 'live');
    const shop = await open({ gateway: 'useepay', methodCode: 'card', currency: 'USD' });
    const gateway = shop.deps.gateways.useepay;
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`UseePay answers: ${checked?.says}`, checked?.works === true);
    const ana = await shop.buyer({ host: 'mego.localhost' });
    const { data } = await ana.pay({ planId: '201', methodCode: 'card', currency: 'USD', card: undefined });
    see('a page is opened', data.next.type === 'redirect');
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    const key = row?.key ?? '';
    see('the query finds it waiting', (await gateway.inquire(key)).state === 'pending');
    see('and nothing of another name', (await gateway.inquire(crypto.randomUUID())).state === 'failed');
    console.info(`     pay here, or wait: ${data.next.type === 'redirect' ? data.next.url : ''}`);
    for (let tries = 0; tries < 30; tries += 1) {
      const { state } = await gateway.inquire(key);
      if (state === 'succeeded') {
        console.info(`     refund: ${JSON.stringify(await gateway.refund(key))}`);
        return see('it was paid, and the refund was asked for', true);
      }
      await wait(10);
    }
    see('what nobody has paid can be given up', ['expired', 'failed'].includes((await gateway.cancel(key)).state));
  },
} satisfies Proof;
