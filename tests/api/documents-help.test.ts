import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { languages, type Language } from '#contract/fields.ts';
import { documents, paymentMethods } from '#server/db/schema/brands.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const helpOf = async (host: string, code: Language = 'en') =>
  (await shop.request(endpoints.dynamicConfig, { query: { type: 'help', code } }, { host })).data;
const textOf = async (host: string, code?: Language) => JSON.stringify(await helpOf(host, code));

/** Names that the help contains only for a brand with the method; they are the same in all languages. */
const methodNames = {
  localhost: { has: ['Pix', 'Boleto', 'PayPal'], lacks: ['M-Pesa', 'PayNow', 'Alipay', 'PIN'] },
  'mego.localhost': { has: ['PayPal', 'Alipay', 'PayNow'], lacks: ['Pix', 'Boleto', 'M-Pesa', 'PIN'] },
  'baobab.localhost': {
    has: ['M-Pesa', 'Orange Money', 'PIN'],
    lacks: ['Pix', 'Boleto', 'PayPal', 'Alipay', 'PayNow'],
  },
} as const;

describe('the help of a brand', () => {
  const cases = Object.entries(methodNames).flatMap(([host, names]) =>
    languages.map((language) => ({ host, language, ...names })),
  );

  it.each(cases)('explains exactly the payment methods of $host in $language', async (brand) => {
    const text = await textOf(brand.host, brand.language);
    for (const word of brand.has) expect(text).toContain(word);
    for (const word of brand.lacks) expect(text).not.toContain(word);
    // No placeholder of the template remains.
    expect(text).not.toMatch(/[{}]methods|\{mail|\{name/);
  });

  it.each(languages)('links in %s to the forgotten-password page instead of an email address', async (code) => {
    const { sections } = await helpOf('localhost', code);
    const [reset, ...more] = sections.filter(({ link }) => link);
    expect(more).toEqual([]);
    expect(reset?.link?.to).toBe('/forgot-password');
    expect(reset?.link?.text).toMatch(/\S/);
    expect(reset?.paragraphs.join(' ')).not.toContain('@');
  });

  it('no longer explains a payment method that is switched off', async () => {
    const pix = and(eq(paymentMethods.brand, 'lumen'), eq(paymentMethods.code, 'pix'));
    expect(await textOf('localhost')).toContain('Pix');
    await shop.db.update(paymentMethods).set({ active: false }).where(pix);
    await shop.deps.catalog.refresh();
    expect(await textOf('localhost')).not.toContain('Pix');
    await shop.db.update(paymentMethods).set({ active: true }).where(pix);
    await shop.deps.catalog.refresh();
  });

  it('shows the text of the operator unchanged, without links that lead to no page of the shop', async () => {
    const section = (to: string) => ({ heading: to, paragraphs: ['<b>bold</b>'], link: { to, text: 'Go' } });
    const bad = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/api/x',
      '/nowhere',
    ];
    const content = { title: 'Help', updatedAt: 1, sections: [...bad, '/orders'].map(section) };
    const english = and(eq(documents.brand, 'mego'), eq(documents.type, 'help'), eq(documents.language, 'en'));
    await shop.db.update(documents).set({ content }).where(english);
    await shop.deps.catalog.refresh();
    const { sections } = await helpOf('mego.localhost');
    expect(sections.map(({ link }) => link?.to)).toEqual([...bad.map(() => undefined), '/orders']);
    expect(sections[0]?.paragraphs).toEqual(['<b>bold</b>']);
  });
});
