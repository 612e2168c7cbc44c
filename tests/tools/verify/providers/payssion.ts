import { eq } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * Verifies an app of Payssion's sandbox: its keys, a page for `PAYSSION_TEST_PM` (payssion_test is the sandbox's own),
 * the details call, and, if the printed page is paid within five minutes, the payment and its refund. Notices are not
 * verified, because Payssion would have to reach the shop.
 */
export const proof = {
  needs: ['PAYSSION_API_KEY', 'PAYSSION_SECRET_KEY', 'PAYSSION_TEST_PM'],
  prove: async ({ env, shop: open, see, wait }) => {
    see('it is the sandbox', env['PAYSSION_ENVIRONMENT'] !== 'live');
    const shop = await open({ gateway: 'payssion', methodCode: 'alipay', currency: 'USD' });
    const gateway = shop.deps.gateways.payssion;
    if (!gateway) throw new Error('no gateway is installed');
    const checked = await gateway.check?.();
    see(`Payssion answers: ${checked?.says}`, checked?.isReachable === true);
    const details = { pmId: env['PAYSSION_TEST_PM'] ?? '' };
    await shop.db.update(paymentMethods).set({ details }).where(eq(paymentMethods.code, 'alipay'));
    await shop.deps.catalog.refresh();
    const ana = await shop.buyer({ host: 'mego.localhost' });
    const { data } = await ana.pay({ planId: '201', methodCode: 'alipay', currency: 'USD', card: undefined });
    see('a page is opened', data.next.type === 'redirect');
    const [row] = await shop.db.select({ key: attempts.id }).from(attempts);
    const key = row?.key ?? '';
    see('the details return it as pending', (await gateway.inquire(key)).state === 'pending');
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
