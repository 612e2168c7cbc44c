import { languages } from '../../../contract/fields.ts';
import type { BrandSeed } from './brand-seed.ts';
import { megoMethods } from './mego-methods.ts';
import { planTexts } from './plan-texts.ts';

/** The second brand: English first, in dollars and roubles, with a help chat. */
export const mego: BrandSeed = {
  brand: {
    code: 'mego',
    tenantId: 'mego',
    name: 'Mego',
    themeColor: '#0F9D76',
    origin: 'http://mego.localhost',
    currencies: ['USD', 'RUB', 'SGD', 'CNY'],
    securityContact: 'mailto:security@mego.example',
    config: {
      validRules: {
        email: '^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}$',
        phone: '^\\d{7,15}$',
      },
      defaultLang: 'en',
      upgradePolicy: false,
      subscribeEmail: true,
      helpShowEmail: 'help@mego.example',
      chatLink: 'https://chat.mego.example/help',
      login: {
        webLink: 'https://my.mego.example/login',
        areaCode: '7',
        codeLogin: false,
        emailSuffix: ['gmail.com', 'outlook.com', 'mail.ru', 'yandex.ru'],
        signupCode: false,
      },
      payment: { defaultInstallment: 1, defaultCurrency: 'USD' },
      langs: ['en', 'ru', 'pt', 'es'],
    },
  },
  hosts: ['mego.localhost'],
  languages,
  plans: [
    { id: '201', days: 30, devices: 1, prices: { USD: 499, RUB: 39900, SGD: 670, CNY: 3500 }, texts: planTexts(30, 1) },
    {
      id: '202',
      days: 180,
      devices: 1,
      prices: { USD: 2499, RUB: 199000, SGD: 3350, CNY: 17700 },
      listPrices: { USD: 2994, RUB: 239400, SGD: 4010, CNY: 21300 },
      texts: planTexts(180, 1),
    },
    {
      id: '203',
      days: 365,
      devices: 1,
      prices: { USD: 4499, RUB: 349000, SGD: 6030, CNY: 31900 },
      listPrices: { USD: 5988, RUB: 478800, SGD: 8020, CNY: 42500 },
      texts: planTexts(365, 1),
      recommended: true,
    },
    {
      id: '401',
      days: 30,
      devices: 5,
      prices: { USD: 899, RUB: 69900, SGD: 1200, CNY: 6400 },
      texts: planTexts(30, 5),
    },
    {
      id: '402',
      days: 180,
      devices: 5,
      prices: { USD: 4499, RUB: 349000, SGD: 6030, CNY: 31900 },
      listPrices: { USD: 5394, RUB: 419400, SGD: 7230, CNY: 38300 },
      texts: planTexts(180, 5),
    },
    {
      id: '403',
      days: 365,
      devices: 5,
      prices: { USD: 7999, RUB: 619000, SGD: 10720, CNY: 56800 },
      listPrices: { USD: 10788, RUB: 838800, SGD: 14460, CNY: 76600 },
      texts: planTexts(365, 5),
      recommended: true,
    },
  ],
  methods: megoMethods,
  banners: [
    {
      id: 'mego-year',
      texts: {
        en: 'A year of Mego for the price of nine months',
        ru: 'Год Mego по цене девяти месяцев',
        pt: 'Um ano de Mego pelo preço de nove meses',
        es: 'Un año de Mego al precio de nueve meses',
      },
      link: '/plan-details/203',
    },
  ],
  coupons: [
    {
      code: 'MEGO5',
      kind: 'percent',
      value: 5,
      maxUses: 100_000,
      startsAt: Date.UTC(2026, 0, 1),
      endsAt: Date.UTC(2036, 0, 1),
    },
  ],
  wordings: [
    { language: 'en', messages: { 'errCode.2008': 'Mego no longer sells this plan. Please choose another one.' } },
  ],
};
