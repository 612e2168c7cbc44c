import { defaultEmailSuffixes, defaultInstallments } from '../../../contract/limits.ts';
import { languages } from '../../../contract/fields.ts';
import type { BrandSeed } from './brand-seed.ts';
import { lumenMethods } from './lumen-methods.ts';
import { planTexts } from './plan-texts.ts';

/** The demo coupons hold for years, so that a test or a visitor never meets an expired one by accident. */
const couponsFrom = Date.UTC(2026, 0, 1);
const couponsUntil = Date.UTC(2036, 0, 1);

/** The default brand: Portuguese first, in reais. */
export const lumen: BrandSeed = {
  brand: {
    code: 'lumen',
    tenantId: 'lumen',
    name: 'Lumen',
    themeColor: '#6D3BEB',
    origin: 'http://localhost',
    currencies: ['BRL', 'USD'],
    securityContact: 'mailto:security@lumen.example',
    config: {
      validRules: {
        email: '^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}$',
        phone: '^\\d{8,13}$',
      },
      defaultLang: 'pt',
      upgradePolicy: true,
      subscribeEmail: true,
      helpShowEmail: 'ajuda@lumen.example',
      helpPhone: '+55 11 4002-8922',
      login: { areaCode: '55', codeLogin: true, emailSuffix: [...defaultEmailSuffixes], signupCode: true },
      payment: { defaultInstallment: defaultInstallments, defaultCurrency: 'BRL' },
      langs: ['pt', 'en', 'es'],
    },
  },
  hosts: ['localhost', '127.0.0.1', '[::1]', 'lumen.localhost'],
  languages,
  plans: [
    { id: '101', days: 30, devices: 1, prices: { BRL: 1990, USD: 399 }, texts: planTexts(30, 1) },
    {
      id: '102',
      days: 180,
      devices: 1,
      prices: { BRL: 9990, USD: 1999 },
      listPrices: { BRL: 11940, USD: 2394 },
      texts: planTexts(180, 1),
    },
    {
      id: '103',
      days: 365,
      devices: 1,
      prices: { BRL: 17990, USD: 3599 },
      listPrices: { BRL: 23880, USD: 4788 },
      texts: planTexts(365, 1),
      recommended: true,
    },
    { id: '301', days: 30, devices: 3, prices: { BRL: 3490, USD: 699 }, texts: planTexts(30, 3) },
    {
      id: '302',
      days: 180,
      devices: 3,
      prices: { BRL: 17990, USD: 3599 },
      listPrices: { BRL: 20940, USD: 4194 },
      texts: planTexts(180, 3),
    },
    {
      id: '303',
      days: 365,
      devices: 3,
      prices: { BRL: 31990, USD: 6399 },
      listPrices: { BRL: 41880, USD: 8388 },
      texts: planTexts(365, 3),
      recommended: true,
    },
  ],
  methods: lumenMethods,
  banners: [
    {
      id: 'lumen-pix',
      texts: {
        pt: 'Pague com Pix e ganhe 5% de desconto',
        en: 'Pay by Pix and save 5%',
        es: 'Paga con Pix y ahorra un 5 %',
        ru: 'Оплатите через Pix и сэкономьте 5 %',
      },
      link: '/pricing-table',
    },
  ],
  coupons: [
    coupon({ code: 'WELCOME10', kind: 'percent', value: 10, maxUses: 100_000, firstPurchaseOnly: true }),
    coupon({ code: 'LUMEN15', kind: 'amount', value: 1500, currency: 'BRL', planIds: ['103', '303'], maxUses: 500 }),
    coupon({ code: 'LASTCALL', kind: 'percent', value: 20, maxUses: 1, used: 1 }),
  ],
  wordings: [
    { language: 'pt', messages: { 'errCode.2008': 'A Lumen não vende mais este plano. Escolha outro, por favor.' } },
    { language: 'en', messages: { 'errCode.2008': 'Lumen no longer sells this plan. Please choose another one.' } },
  ],
};

function coupon(row: Omit<BrandSeed['coupons'][number], 'startsAt' | 'endsAt'>): BrandSeed['coupons'][number] {
  return { ...row, startsAt: couponsFrom, endsAt: couponsUntil };
}
