import { attempts } from '#server/db/schema/attempts.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * Verifies an app at Daraja's sandbox: gets a token, sends a push to `MPESA_TEST_PHONE` (07…), and queries it for two
 * minutes. Callbacks are not verified, because Safaricom would have to reach the shop.
 */
export const proof = {
  needs: ['MPESA_CONSUMER_KEY', 'MPESA_CONSUMER_SECRET', 'MPESA_SHORT_CODE', 'MPESA_PASSKEY', 'MPESA_TEST_PHONE'],
  prove: async ({ env, shop: open, see, wait }) => {
    const shop = await open({ gateway: 'mpesa', methodCode: 'mpesa', currency: 'KES' });
    const gateway = shop.deps.gateways['mpesa'];
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`Daraja answers: ${checked?.says}`, checked?.isReachable === true);
    const ana = await shop.buyer({ host: 'baobab.localhost' });
    const wish = { planId: '501', methodCode: 'mpesa', currency: 'KES', card: undefined };
    const { data } = await ana.pay({ ...wish, payer: { phone: env['MPESA_TEST_PHONE'] ?? '' } });
    see('a push is accepted', data.next.type === 'push');
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    for (let tries = 0; tries < 12; tries += 1) {
      const { state, failure } = await gateway.inquire(row?.key ?? '');
      console.info(`     ${state}${failure === undefined ? '' : ` ${failure}`}`);
      if (state !== 'pending' && state !== 'unknown') return see('the query returns the result', true);
      await wait(10);
    }
    see('the query returns the result', false);
  },
} satisfies Proof;
