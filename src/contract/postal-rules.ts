import { normalizeCharacters } from './normalize-text.ts';

/**
 * Countries whose addresses require a postal code, and those whose addresses require a state; both are optional
 * elsewhere. Source: the metadata of Google's libaddressinput ("require" with Z and S), version of November 2026.
 */
const withPostalCode = new Set(
  (
    'AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT LU LV ' +
    'MF MH MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA US VI WF YT ZA'
  ).split(' '),
);
const withState = new Set(
  'AE AS AU BR CA CN CO CR ES FM HK HN ID IN IQ IT JM JP KN KR KY MH MP MX NR PF PG PW RU SO SV TW UM US VE VI VN'.split(
    ' ',
  ),
);

/** Currencies used in many countries, so that they do not identify the address's country. */
const ofManyCountries = new Set(['USD', 'EUR']);

/** The country of a currency: the first two letters of its code (ISO 4217), unless several countries share it. */
export function countryOf(currency: string): string | undefined {
  return ofManyCountries.has(currency) || currency.startsWith('X') ? undefined : currency.slice(0, 2);
}

/** Required address fields for a payment in this currency. */
export function addressRules(currency: string): { readonly zipCode: boolean; readonly state: boolean } {
  const country = countryOf(currency) ?? '';
  return { zipCode: withPostalCode.has(country), state: withState.has(country) };
}

/** Eight digits are a Brazilian CEP (Correios), in any grouping: `01310-100`, `01.310-100`, `01310100`. */
const cep = /^(\d{2})[ .]*(\d{3})[ .-]*(\d{3})$/;

/** A label before a code; `CP` only before a digit, because codes of other countries begin with letters. */
const label = /^(?:CEP|ZIP(?: ?CODE)?|POST(?:AL)? ?CODE|PLZ|ИНДЕКС)(?!\p{L})[ .:]*|^C\.?P\.?[ .:]+(?=\d)/u;
const around = /^[ .,;:()/〒-]+|[ .,;:()/〒-]+$/g;
/** Common input for "none". */
const notApplicable = /^N[./ ]?A$/;

/** A postal code as it is sent: upper case, plain characters, without label; a CEP in the format of the Correios. */
export function normalizePostalCode(text: string): string {
  let code = normalizeCharacters(normalizeCharacters(text).toUpperCase()).replace(/\s+/g, ' ');
  for (let before = ''; before !== code;) {
    before = code;
    code = code.replace(around, '').replace(label, '');
  }
  return notApplicable.test(code) ? '' : code.replace(cep, '$1$2-$3');
}

/** Whether this is a valid postal code for a payment in the currency. */
export function isPostalCode(text: string, currency: string): boolean {
  const code = normalizePostalCode(text);
  if (currency === 'BRL') return cep.test(code);
  return code === '' ? !addressRules(currency).zipCode : /^[A-Z0-9][A-Z0-9 -]{1,11}$/.test(code);
}
