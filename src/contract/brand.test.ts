import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, functionConfigSchema, siteConfigSchema } from './brand.ts';
import type { Language } from './fields.ts';

const brand = {
  browser: [] as string[],
  tenantId: 'lumen',
  langs: ['pt', 'en', 'es'] as Language[],
  defaultLang: 'pt' as Language,
};

describe('the language of a visitor', () => {
  it('is the stored choice if the brand supports it', () => {
    expect(chooseLanguage({ ...brand, stored: 'es', browser: ['en'] })).toBe('es');
    expect(chooseLanguage({ ...brand, stored: 'ru', browser: ['en'] })).toBe('en');
  });

  it('is the first browser language that the brand supports', () => {
    expect(chooseLanguage({ ...brand, browser: ['ru-RU', 'ES-419', 'en'] })).toBe('es');
  });

  it("is the brand's default if none fits", () => {
    expect(chooseLanguage({ ...brand, browser: ['de', ''] })).toBe('pt');
    expect(chooseLanguage({ ...brand, defaultLang: 'ru' })).toBe('pt');
  });

  it('is English for mego without a preference, except in four countries', () => {
    const mego = {
      ...brand,
      tenantId: 'mego',
      langs: ['ru', 'en', 'pt'] as Language[],
      defaultLang: 'ru' as Language,
      browser: ['de'],
    };
    expect(chooseLanguage({ ...mego, countryCode: 'BR' })).toBe('en');
    expect(chooseLanguage(mego)).toBe('en');
    expect(chooseLanguage({ ...mego, stored: 'ru' })).toBe('ru');
    expect(chooseLanguage({ ...mego, browser: ['pt-BR', 'en'] })).toBe('pt');
    expect(chooseLanguage({ ...mego, browser: ['ru'], countryCode: 'BR' })).toBe('ru');
    for (const countryCode of ['KZ', 'RU', 'BY', 'UA']) expect(chooseLanguage({ ...mego, countryCode })).toBe('ru');
  });
});

describe('the configuration of a brand', () => {
  const config = {
    validRules: {},
    defaultLang: 'pt',
    upgradePolicy: false,
    subscribeEmail: true,
    login: { codeLogin: false, emailSuffix: [], signupCode: false, dpop: false },
    payment: { defaultInstallment: 3, defaultCurrency: 'BRL', renewal: 'asked' as const },
    langs: ['pt'],
  };

  it('is parsed unchanged', () => expect(v.parse(siteConfigSchema, config)).toEqual(config));

  it.each(['javascript:alert(1)', 'http://chat.example', 'chat'])(
    'loses a chat link that is not https, and nothing else: %s',
    (chatLink) => {
      const read = v.parse(siteConfigSchema, { ...config, chatLink });
      expect(read.chatLink).toBeUndefined();
      expect(read.langs).toEqual(['pt']);
    },
  );

  it.each([{ langs: [] }, { langs: ['xx'] }, { payment: { defaultInstallment: 0, defaultCurrency: 'BRL' } }])(
    'is refused as %j',
    (part) => {
      expect(v.safeParse(siteConfigSchema, { ...config, ...part }).success).toBe(false);
    },
  );

  it.each(['//cdn.example/a.svg', 'https://cdn.example/a.svg', '/a b.svg', '/\\a'])(
    'keeps pictures on its own site: not %s',
    (logo) => {
      const read = v.safeParse(functionConfigSchema, {
        imgConfig: { logo },
        webConfig: { brand: 'Lumen', defaultLang: 'pt' },
      });
      expect(read.success).toBe(false);
    },
  );
});
