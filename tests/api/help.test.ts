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

/** Words that only a brand with the method has a use for; the same in all languages, for all are names. */
const words = {
  localhost: { has: ['Pix', 'Boleto', 'PayPal'], lacks: ['M-Pesa', 'PayNow', 'Alipay', 'PIN'] },
  'mego.localhost': { has: ['PayPal', 'Alipay', 'PayNow'], lacks: ['Pix', 'Boleto', 'M-Pesa', 'PIN'] },
  'baobab.localhost': {
    has: ['M-Pesa', 'Orange Money', 'PIN'],
    lacks: ['Pix', 'Boleto', 'PayPal', 'Alipay', 'PayNow'],
  },
} as const;

describe('the help of a brand', () => {
  const cases = Object.entries(words).flatMap(([host, said]) =>
    languages.map((language) => ({ host, language, ...said })),
  );

  it.each(cases)('explains at $host in $language the ways to pay that are there, and no other', async (brand) => {
    const text = await textOf(brand.host, brand.language);
    for (const word of brand.has) expect(text).toContain(word);
    for (const word of brand.lacks) expect(text).not.toContain(word);
    // nothing of the template is left
    expect(text).not.toMatch(/[{}]methods|\{mail|\{name/);
  });

  it.each(languages)(
    'leads who forgot a password in %s to the page that gives a new one, not to a person',
    async (code) => {
      const { sections } = await helpOf('localhost', code);
      const [reset, ...more] = sections.filter(({ link }) => link);
      expect(more).toEqual([]);
      expect(reset?.link?.to).toBe('/forgot-password');
      expect(reset?.link?.text).toMatch(/\S/);
      expect(reset?.paragraphs.join(' ')).not.toContain('@');
    },
  );

  it('follows the methods: one that is switched off is explained no longer', async () => {
    const pix = and(eq(paymentMethods.brand, 'lumen'), eq(paymentMethods.code, 'pix'));
    expect(await textOf('localhost')).toContain('Pix');
    await shop.db.update(paymentMethods).set({ active: false }).where(pix);
    await shop.deps.catalog.refresh();
    expect(await textOf('localhost')).not.toContain('Pix');
    await shop.db.update(paymentMethods).set({ active: true }).where(pix);
    await shop.deps.catalog.refresh();
  });

  it('shows what an operator wrote as it is, without a link that leads to no page of the shop', async () => {
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
