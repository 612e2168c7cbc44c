import * as v from 'valibot';
import { currencySchema, textSchema } from '#contract/fields.ts';
import { formatAmount } from '#contract/numbers.ts';

/** Integer minor units and an ISO 4217 code: `{ amount: 4990, currency: 'BRL' }` is R$ 49.90. */
export const moneySchema = v.object({ amount: v.pipe(v.number(), v.safeInteger()), currency: currencySchema });
export type Money = v.InferOutput<typeof moneySchema>;

/**
 * Splits a total (minor units) into `count` parts that add up to it exactly, the larger ones first: 4990 in 3 is 1664 +
 * 1663 + 1663.
 */
export function splitInstallments(total: number, count: number): number[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new RangeError('total must be minor units');
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError('count must be positive');
  const base = Math.floor(total / count);
  const larger = total - base * count;
  return Array.from({ length: count }, (_, index) => base + (index < larger ? 1 : 0));
}

/**
 * The amount of each of `count` equal installments at `rate` monthly interest (0.0199 is 1.99 %), by the annuity
 * formula, rounded half up to minor units. The total is that amount times `count`.
 */
export function installmentWithInterest(total: number, count: number, rate: number): number {
  if (rate === 0) return Math.ceil(total / count);
  return Math.round((total * rate) / (1 - (1 + rate) ** -count));
}

/** `percent` of an amount (minor units), rounded half up; a discount never exceeds the amount. */
export function percentOf(amount: number, percent: number): number {
  return Math.min(amount, Math.round((amount * percent) / 100));
}

/** The symbols of the specification, by which customers here know these currencies; ICU's own differ. */
const specifiedSymbols: Readonly<Record<string, string>> = {
  USD: '$',
  BRL: 'R$',
  ARS: '$',
  CLP: '$',
  COP: '$',
  MXN: 'MXN',
  PEN: 'S/.',
  UYU: '$U',
  ZAR: 'R',
  PHP: '₱',
  RUB: '₽',
};

/** Symbols of other currencies that have one of their own; `$`, `kr` or `Rs` alone would fit several. */
const otherSymbols =
  'AOA:Kz AUD:A$ AZN:₼ BBD:Bds$ BDT:৳ BOB:Bs BSD:B$ BWP:P BYN:Br BZD:BZ$ CAD:CA$ CDF:FC CNY:CN¥ CRC:₡ CZK:Kč DOP:RD$ EGP:E£ ' +
  'EUR:€ FJD:FJ$ GBP:£ GEL:₾ GHS:GH₵ GTQ:Q GYD:G$ HKD:HK$ HNL:L HUF:Ft IDR:Rp ILS:₪ INR:₹ JMD:J$ JPY:¥ KES:KSh KRW:₩ ' +
  'KZT:₸ LRD:L$ MWK:MK MYR:RM MZN:MT NAD:N$ NGN:₦ NIO:C$ NZD:NZ$ PAB:B/. PLN:zł PYG:₲ RWF:FRw SGD:S$ THB:฿ TRY:₺ ' +
  'TTD:TT$ TWD:NT$ TZS:TSh UAH:₴ UGX:USh VES:Bs. VND:₫ XAF:FCFA XCD:EC$ XOF:FCFA ZMW:K';

/** The symbol of a currency; its code if it has none. */
export function currencySymbol(currency: string): string {
  const [, other] = otherSymbols.match(`(?:^| )${currency}:(\\S+)`) ?? [];
  return specifiedSymbols[currency] ?? other ?? currency;
}

/** Shops write cents of these currencies only if there are any: no coin of a cent exists. */
const withRareCents = 'KES NGN TZS';

/**
 * A price as people of `language` read it. The tables are ours, because browsers and the server have different versions
 * of `Intl`, and a page would be hydrated with another text than its HTML.
 */
export function formatMoney({ amount, currency }: Money, language: string): string {
  const symbol = language === 'pt' && currency === 'USD' ? 'US$' : currencySymbol(currency);
  const digits = exponent(currency);
  const isWhole = amount % 10 ** digits === 0 && currency !== '' && withRareCents.includes(currency);
  return formatAmount(amount / 10 ** digits, language, { currency, symbol, digits: isWhole ? 0 : digits });
}

/**
 * The currencies of ISO 4217 (list one, January 2026) in which a price can be written, by number of decimal places.
 * Metals, funds and test codes are left out. Providers that count otherwise convert in their own `currencies.ts`.
 */
const withoutDigits = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const withThreeDigits = 'BHD IQD JOD KWD LYD OMR TND';
const withTwoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
  'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
  'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
  'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
  'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';

/** Decimal places of a currency's minor unit. */
export function exponent(currency: string): 0 | 2 | 3 {
  if (currency === '') return 2;
  if (withoutDigits.includes(currency)) return 0;
  return withThreeDigits.includes(currency) ? 3 : 2;
}

/** Every supported currency, in alphabetical order. */
export const knownCurrencies = (): string[] => `${withoutDigits} ${withTwoDigits} ${withThreeDigits}`.split(' ').sort();

export const isKnownCurrency = (code: string): boolean =>
  /^[A-Z]{3}$/.test(code) && `${withoutDigits} ${withTwoDigits} ${withThreeDigits}`.includes(code);

/**
 * A currency in a setting. Unknown codes are refused, because the number of decimal places decides what is charged. Pure,
 * so that no browser loads the list.
 */
export const knownCurrencySchema = /* @__PURE__ */ v.pipe(
  textSchema,
  /* @__PURE__ */ v.check(isKnownCurrency, 'must be a currency code of ISO 4217, such as EUR'),
);
