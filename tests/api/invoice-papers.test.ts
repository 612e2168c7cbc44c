import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '#contract/fields.ts';
import * as endpoints from '#contract/index.ts';
import { attachedReceipt } from '#server/billing/receipts.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aPayment, invoiceSettings, setInvoices } from '#tests/builders/invoices.ts';

let shop: Shop;
let ana: Buyer;
beforeAll(async () => {
  shop = await aShop();
  await setInvoices(shop.db, invoiceSettings);
  [ana = expect.fail('no buyer')] = await shop.buyers(1);
});
afterAll(() => shop.close());

/** The file of an email: its name, its own title and language, and its texts. */
async function attachmentOf(orderId: string, language: Language) {
  const { name, pdf } =
    (await attachedReceipt(shop.deps, 'lumen', { orderId, language })) ?? expect.fail('nothing is attached');
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { info } = await document.getMetadata();
  const { items } = await (await document.getPage(1)).getTextContent();
  const texts = items.map((item) => ('str' in item ? item.str : '')).filter((text) => text.trim() !== '');
  return { name, info, texts };
}

const titles = [
  ['en', 'Invoice', 'Receipt'],
  ['pt', 'Fatura', 'Recibo'],
  ['es', 'Factura', 'Recibo'],
  ['ru', 'Счёт-фактура', 'Чек'],
] as const;

describe('the PDF of an order', () => {
  it.each(titles)('with an invoice number is titled and named an invoice in %s', async (language, title, receipt) => {
    const { orderId } = await aPayment(shop, ana);
    const { name, info, texts } = await attachmentOf(orderId, language);
    expect(name).toBe(`${title} ${orderId}.pdf`);
    expect(info).toMatchObject({ Title: title, Language: language });
    // a title of two scripts is two texts
    expect(texts.slice(1).join('')).toMatch(new RegExp(`^${title}`));
    expect(texts).not.toContain(receipt);
  });

  it.each(titles)('without one stays a receipt in %s', async (language, _, title) => {
    const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED' });
    const { name, info, texts } = await attachmentOf(order.orderId, language);
    expect(name).toBe(`${title} ${order.orderId}.pdf`);
    expect([info, texts[1]]).toMatchObject([{ Title: title }, title]);
  });

  const german = { legalName: 'Acme GmbH', taxNumber: 'DE 123456789' };
  const russian = { legalName: 'ООО Пример', taxNumber: '7707083893', country: 'RU' };
  const unknown = { legalName: 'Baobab Ltd', taxNumber: 'P051234567A', country: 'KE' };
  const cpf = '529.982.247-25';
  it.each([
    ['en', german, ['USt-IdNr.: DE 123456789', 'Customer CPF', cpf]],
    ['pt', german, ['USt-IdNr.: DE 123456789', 'CPF do cliente', cpf]],
    ['ru', german, ['USt-IdNr.: DE 123456789', 'CPF покупателя', cpf]],
    ['pt', russian, ['ИНН: 7707083893', 'CPF do cliente', cpf]],
    ['es', russian, ['ИНН: 7707083893', 'CPF del cliente', cpf]],
    ['en', unknown, ['Tax number: P051234567A']],
    ['pt', unknown, ['Número fiscal: P051234567A']],
    ['es', unknown, ['Número fiscal: P051234567A']],
    ['ru', unknown, ['Налоговый номер: P051234567A']],
  ] as const)('names the tax numbers as their countries do, in %s (%#)', async (language, seller, expected) => {
    const buyer = { name: 'Ana Lima', document: '52998224725' };
    const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED', seller, buyer });
    const { texts } = await attachmentOf(order.orderId, language);
    // a font of each script draws its part of a text
    const all = texts.join('').replaceAll(/\s/g, '');
    for (const text of expected) expect(all).toContain(text.replaceAll(/\s/g, ''));
  });

  it('has the same name as a download', async () => {
    const { orderId } = await aPayment(shop, ana);
    const by = { ...ana, headers: { Language: 'pt' } };
    const { data } = await shop.request(endpoints.receiptFile, { params: { id: orderId } }, by);
    expect(data.name).toBe(`Fatura ${orderId}.pdf`);
  });
});
