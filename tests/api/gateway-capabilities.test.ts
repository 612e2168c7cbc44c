import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney } from '#tests/builders/summarize-money.ts';

const host = 'baobab.localhost';
let shop: Shop;
beforeAll(async () => {
  shop = await aShop(undefined, {
    deps: ({ gateways }) => {
      const { submitCode: _, ...liquido } = gateways['liquido'] ?? expect.fail('no gateway for mobile money');
      return { gateways: { ...gateways, liquido } };
    },
  });
});
afterAll(() => shop.close());

it('a code that the gateway cannot accept is refused, and the payment stays pending', async () => {
  const ana = await shop.buyer({ host });
  const mobile = { planId: '501', methodCode: 'orange', currency: 'XOF', card: undefined };
  const { data } = await ana.pay({ ...mobile, payer: { phone: '770001234' } });
  const { orderId } = data;
  const refused = await shop.request(endpoints.liQuiDoConfirm, { body: { orderId, otp: '123456' } }, ana);
  expect(refused).toMatchObject({ status: 422, errCode: 4598 });
  expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_PENDING', tries: ['PENDING'] });
  const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
  expect(info.data.next.type).toBe('otp');
});
