import { languages } from '../../../contract/fields.ts';
import { baobabMethods } from './baobab-methods.ts';
import type { BrandSeed } from './brand-seed.ts';
import { planTexts } from './plan-texts.ts';

/** The third brand: where people pay from their phones, in shillings, francs and kwachas. */
export const baobab: BrandSeed = {
  brand: {
    code: 'baobab',
    tenantId: 'baobab',
    name: 'Baobab',
    themeColor: '#B4540A',
    origin: 'http://baobab.localhost',
    currencies: ['KES', 'XOF', 'UGX', 'ZMW', 'MWK'],
    config: {
      validRules: {
        email: '^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}$',
        phone: '^\\d{7,15}$',
      },
      defaultLang: 'en',
      upgradePolicy: false,
      subscribeEmail: true,
      helpShowEmail: 'help@baobab.example',
      login: {
        areaCode: '254',
        codeLogin: true,
        emailSuffix: ['gmail.com', 'yahoo.com', 'outlook.com'],
        signupCode: false,
      },
      payment: { defaultInstallment: 1, defaultCurrency: 'KES' },
      langs: ['en', 'pt'],
    },
  },
  hosts: ['baobab.localhost'],
  languages,
  plans: [
    {
      id: '501',
      days: 30,
      devices: 1,
      prices: { KES: 45000, XOF: 2100, UGX: 12500, ZMW: 9000, MWK: 600000 },
      texts: planTexts(30, 1),
    },
    {
      id: '502',
      days: 365,
      devices: 1,
      prices: { KES: 420000, XOF: 19900, UGX: 118000, ZMW: 84000, MWK: 5600000 },
      listPrices: { KES: 540000, XOF: 25200, UGX: 150000, ZMW: 108000, MWK: 7200000 },
      texts: planTexts(365, 1),
      recommended: true,
    },
    {
      id: '601',
      days: 30,
      devices: 3,
      prices: { KES: 79000, XOF: 3700, UGX: 22000, ZMW: 15900, MWK: 1050000 },
      texts: planTexts(30, 3),
    },
  ],
  methods: baobabMethods,
  banners: [],
  coupons: [],
  wordings: [],
};
