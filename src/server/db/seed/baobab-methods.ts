import type { BrandSeed } from './brand-seed.ts';

/** Mobile money of each country, and cards where one takes them. */
export const baobabMethods: BrandSeed['methods'] = [
  mobileMoney('mpesa', 'M-Pesa', { KES: '254' }),
  mobileMoney('orange', 'Orange Money', { XOF: '221' }),
  mobileMoney('free', 'Free Money', { XOF: '221' }),
  mobileMoney('mtn', 'MTN MoMo', { UGX: '256', ZMW: '260' }),
  mobileMoney('airtel', 'Airtel Money', { UGX: '256', ZMW: '260', MWK: '265' }),
  mobileMoney('zamtel', 'Zamtel Kwacha', { ZMW: '260' }),
  mobileMoney('tnm', 'TNM Mpamba', { MWK: '265' }),
  {
    code: 'card',
    gateway: 'sandbox',
    names: { en: 'Bank card', ru: 'Банковская карта', pt: 'Cartão', es: 'Tarjeta' },
    icon: 'card',
    currencies: ['KES'],
    fields: ['card', 'name'],
    settles: 'instant',
    savesCard: true,
  },
];

/** `diallingCodes` has the country code of the payer's number, by currency. */
function mobileMoney(code: string, name: string, diallingCodes: Record<string, string>): BrandSeed['methods'][number] {
  return {
    code,
    gateway: 'liquido',
    names: { en: name, pt: name, es: name, ru: name },
    icon: 'mobile',
    currencies: Object.keys(diallingCodes),
    fields: ['mobile'],
    settles: 'minutes',
    details: { diallingCodes },
  };
}
