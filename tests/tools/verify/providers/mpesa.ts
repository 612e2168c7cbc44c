import { attempts } from '#server/db/schema/attempts.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * An app at Daraja's sandbox: a token, a push to `MPESA_TEST_PHONE` (07…), and what the query says of it for two minutes.
 * Callbacks need a shop that Safaricom can reach, and are not part of it.
 */
export const proof = {
  needs: ['MPESA_CONSUMER_KEY', 'MPESA_CONSUMER_SECRET', 'MPESA_SHORT_CODE', 'MPESA_PASSKEY', 'MPESA_TEST_PHONE'],
  prove: async ({ env, shop: open, see, wait }) => {
    const shop = await open({ gateway: 'mpesa', methodCode: 'mpesa', currency: 'KES' });
    const gateway = shop.deps.gateways['mpesa'];
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`Daraja answers: ${checked?.says}`, checked?.works === true);
    const ana = await shop.buyer({ host: 'baobab.localhost' });
    const wish = { planId: '501', methodCode: 'mpesa', currency: 'KES', card: undefined };
    const { data } = await ana.pay({ ...wish, payer: { phone: env['MPESA_TEST_PHONE'] ?? '' } });
    see('a push is taken', data.next.type === 'push');
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    for (let tries = 0; tries < 12; tries += 1) {
      const { state, failure } = await gateway.inquire(row?.key ?? '');
      console.info(`     ${state}${failure === undefined ? '' : ` ${failure}`}`);
      if (state !== 'pending' && state !== 'unknown') return see('the query tells how it ended', true);
      await wait(10);
    }
    see('the query tells how it ended', false);
  },
} satisfies Proof;
