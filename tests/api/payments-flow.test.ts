import { demoBrands } from '#sandbox/demo-brands.ts';
import { ways as stories } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { ways as proofs } from '#tests/tools/verify/payment-methods.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { NextStep } from '#contract/next-step.ts';
import { aCard, aShop, byPix, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const lumen = { host: 'localhost', planId: '101', currency: 'BRL' };
const mego = { host: 'mego.localhost', planId: '201', currency: 'USD' };
const baobab = { host: 'baobab.localhost', planId: '501', currency: 'KES' };
const [name, document] = [{ firstName: 'Ana', lastName: 'Lima' }, '52998224725'];
const address = { zipCode: '01310100', state: 'SP', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };

interface MethodCase {
  readonly host: string;
  readonly planId: string;
  readonly currency: string;
  readonly methodCode: string;
  readonly payer: NonNullable<Wish['payer']>;
  readonly flow: NextStep['type'];
  readonly card?: ReturnType<typeof aCard>;
}

const methodCases: readonly MethodCase[] = [
  { ...lumen, methodCode: 'card', payer: { ...name, document, phone: '11987654321' }, card: aCard(), flow: 'none' },
  { ...lumen, methodCode: 'pix', payer: { ...name, document }, flow: 'qr' },
  { ...lumen, methodCode: 'boleto', payer: { ...name, document, address }, flow: 'ticket' },
  { ...lumen, methodCode: 'paypal', payer: {}, flow: 'redirect' },
  { ...lumen, currency: 'USD', methodCode: 'crypto', payer: {}, flow: 'crypto' },
  { ...mego, methodCode: 'alipay', payer: {}, flow: 'redirect' },
  { ...mego, currency: 'RUB', methodCode: 'yoomoney', payer: {}, flow: 'redirect' },
  { ...mego, currency: 'SGD', methodCode: 'paynow', payer: name, flow: 'upload' },
  { ...mego, currency: 'CNY', methodCode: 'caishen', payer: name, flow: 'upload' },
  { ...baobab, methodCode: 'mpesa', payer: { phone: '712345678' }, flow: 'push' },
  { ...baobab, currency: 'XOF', methodCode: 'orange', payer: { phone: '771234567' }, flow: 'otp' },
];

const methodOf = async (ana: Buyer, { planId, currency, methodCode }: MethodCase) => {
  const { data } = await shop.request(endpoints.paymentMethods, { body: { planId, currency } }, ana);
  return data.find(({ code }) => code === methodCode);
};

describe('the step after a payment request', () => {
  it.each(methodCases)('of $methodCode is the flow that the method announces: $flow', async (methodCase) => {
    const { host, flow, ...wish } = methodCase;
    const ana = await shop.buyer({ host });
    expect(await methodOf(ana, methodCase)).toMatchObject({ flow });
    const { data } = await ana.pay({ card: undefined, ...wish });
    expect(data.next.type).toBe(flow);
    const { data: order } = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order.flow).toBe(flow);
  });

  it('is tested from end to end, with money, for every method of the demo brands', () => {
    const sold = new Set(demoBrands().flatMap(({ methods }) => methods.map(({ code }) => code)));
    expect(new Set(stories.map(({ method }) => method))).toEqual(sold);
    expect(new Set(proofs.map(({ wish }) => wish.methodCode))).toEqual(sold);
  });

  it('states which kind of transfer it is', async () => {
    const transfers = methodCases.filter(({ flow }) => flow === 'upload');
    const ana = await shop.buyer({ host: mego.host });
    const flavours = await Promise.all(transfers.map(async (methodCase) => (await methodOf(ana, methodCase))?.flavour));
    expect(flavours).toEqual(['paynow', 'caishen']);
    expect(await methodOf(ana, { ...mego, methodCode: 'alipay', payer: {}, flow: 'redirect' })).not.toHaveProperty(
      'flavour',
    );
  });

  it('follows the new method when an order is paid again by another one', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    const repaid = await ana.repay(data.orderId, {
      methodCode: 'boleto',
      card: undefined,
      payer: { ...name, document, address },
    });
    expect(repaid.data.next.type).toBe('ticket');
    const { data: order } = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order).toMatchObject({ methodCode: 'boleto', flow: 'ticket' });
  });
});
