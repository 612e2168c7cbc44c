import * as v from 'valibot';
import { textSchema } from './fields.ts';

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

/** A currency in a setting. Unknown codes are refused, because the number of decimal places decides what is charged. */
export const knownCurrencySchema = v.pipe(
  textSchema,
  v.check(isKnownCurrency, 'must be a currency code of ISO 4217, such as EUR'),
);
