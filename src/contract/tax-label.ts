import { taxIdKind } from './tax-id.ts';

/** What invoices of a country call the number of a taxpayer, by ISO 3166-1; the same in every language. */
const ofCountry: Readonly<Record<string, string>> = {
  AR: 'CUIT',
  BR: 'CNPJ/CPF',
  CL: 'RUT',
  CO: 'NIT',
  ES: 'NIF',
  MX: 'RFC',
  PE: 'RUC',
  PT: 'NIF',
  RU: 'ИНН',
};

/** Names of VAT numbers that differ from the general one, by the prefix of the number. */
const ofVatPrefix: Readonly<Record<string, string>> = { DE: 'USt-IdNr.', AT: 'UID-Nr.', ES: 'NIF', PT: 'NIF' };

/** VAT numbers begin with these letters (VIES, and GB), then have 8 to 12 characters, at least one of them a digit. */
const vatNumber =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)(?=.*\d)[\dA-Z]{8,12}$/;

/** Numbers that `maskDocument` of the server has masked. */
const maskedKinds = [
  [/^•{3}\.\d{3}\.\d{3}-•{2}$/, 'CPF'],
  [/^•{2}\.[\dA-Z]{3}\.•{3}\/[\dA-Z]{4}-•{2}$/, 'CNPJ'],
] as const;

/**
 * The label of a tax number: that of the country which issued it, never that of the reader's language. The number itself
 * decides where it can, then `country`. Undefined where neither is known: the caller shows a general label.
 */
export function taxLabel(number: string, country?: string): string | undefined {
  const masked = maskedKinds.find(([pattern]) => pattern.test(number));
  if (masked) return masked[1];
  // first, because one VAT number of a hundred has the check digits of a CNPJ, which is written with a slash
  const [, prefix] = (country !== 'BR' && vatNumber.exec(number.replaceAll(/[ .-]/g, ''))) || [];
  if (prefix !== undefined) return ofVatPrefix[prefix] ?? 'VAT ID';
  const kind = taxIdKind(number);
  if (kind) return kind.toUpperCase();
  return country === undefined ? undefined : ofCountry[country];
}
