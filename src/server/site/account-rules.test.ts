import { describe, expect, it } from 'vitest';
import type { Brand } from '#server/brand/catalog.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { ApiRefusal, throwRefusal } from '#server/runtime/request/api-error.ts';
import { identityOf, isValidAccount } from './account-rules.ts';

function brandWith(validRules: Brand['config']['validRules']): Brand {
  const { brand } = demoBrand('lumen');
  return {
    ...brand,
    config: { ...brand.config, validRules },
    hosts: [],
    plans: [],
    retiredPlans: [],
    methods: [],
    banners: [],
    documents: new Map(),
    wordings: {},
  };
}

describe('an account', () => {
  it.each([
    ['email', 'ana@example.com', ['anything', '<script>', 'a b@c.de', '@x.y']],
    ['phone', '11912345678', ['<script>', '12345', '1'.repeat(16), '1191234567x']],
  ] as const)('is checked by the built-in rule for %s if the brand has none', (type, right, wrong) => {
    expect(isValidAccount(brandWith({}), type, right)).toBe(true);
    expect(wrong.filter((account) => isValidAccount(brandWith({}), type, account))).toEqual([]);
  });

  it('that is an email address must be valid, whatever the rule of the brand is', () => {
    const lax = brandWith({ email: '.' });
    for (const email of ["o'brien@example.com", 'a&b@example.com', 'name@bücher.de', 'x@st.t.u-tokyo.ac.jp']) {
      expect(identityOf(throwRefusal, lax, { account: email, type: 'email' }).account).toMatch(/^[!-~]+$/);
      expect(() =>
        identityOf(throwRefusal, brandWith(demoBrand('lumen').brand.config.validRules), {
          account: email,
          type: 'email',
        }),
      ).not.toThrow();
    }
    for (const account of ['a..b@x.com', '.a@x.com', 'a@1.2.3.4', 'a@b']) {
      expect(() => identityOf(throwRefusal, lax, { account, type: 'email' })).toThrow(ApiRefusal);
    }
  });

  it('of a customer who signed up with an invalid address still logs in', () => {
    expect(identityOf(throwRefusal, brandWith({}), { account: 'a..b@x.com', type: 'email' }, true).account).toBe(
      'a..b@x.com',
    );
  });

  it('is the same for every spelling of its domain', () => {
    const accounts = ['name@Bücher.de', 'NAME@xn--bcher-kva.de', '\u200Bname@bu\u0308cher.de'];
    const found = accounts.map(
      (account) => identityOf(throwRefusal, brandWith({}), { account, type: 'email' }).account,
    );
    expect(new Set(found)).toEqual(new Set(['name@xn--bcher-kva.de']));
  });

  it('is checked by the built-in rule if the brand’s own is invalid', () => {
    const broken = brandWith({ email: '([', phone: '(?=x)' });
    expect(isValidAccount(broken, 'email', 'ana@example.com')).toBe(true);
    expect(isValidAccount(broken, 'email', 'anything')).toBe(false);
    expect(isValidAccount(broken, 'phone', '11912345678')).toBe(true);
    expect(isValidAccount(broken, 'phone', 'x')).toBe(false);
  });

  it('is checked by a rule that would take a careless engine forever', () => {
    expect(isValidAccount(brandWith({ email: '^(a+)+$' }), 'email', `${'a'.repeat(150)}!`)).toBe(false);
  });

  it('of a phone may be as short as its country’s numbers, and no shorter', () => {
    const brand = brandWith(demoBrand('lumen').brand.config.validRules);
    const typed = { account: '4002', type: 'phone' } as const;
    expect(identityOf(throwRefusal, brand, { ...typed, areaCode: '683' }).account).toBe('6834002');
    expect(() => identityOf(throwRefusal, brand, typed)).toThrow(ApiRefusal);
    expect(() => identityOf(throwRefusal, brand, { ...typed, account: '12345' })).toThrow(ApiRefusal);
  });

  it('of a phone is its digits after the typed area code, or the brand’s', () => {
    const brand = brandWith({ phone: '^\\d{8,13}$' });
    const number = { account: '(11)91234-5678', type: 'phone' } as const;
    expect(identityOf(throwRefusal, brand, { ...number, areaCode: '+351' }).account).toBe('35111912345678');
    expect(identityOf(throwRefusal, brand, number).account).toBe('5511912345678');
  });
});
