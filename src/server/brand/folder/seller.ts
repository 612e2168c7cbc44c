import * as v from 'valibot';
import { nonEmptyText } from '#contract/fields.ts';

/** The seller and the invoices of a brand in `brand.yaml`. */

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether a country has this code: `UK` is not one, because the code of the United Kingdom is GB. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  new Intl.Locale('und', { region: code }).region === code &&
  countryNames.of(code) !== undefined;

const countryMessage = 'must be a country code of ISO 3166, such as BR';
const country = v.pipe(v.string(), v.check(isCountry, countryMessage));

export const sellerSchema = v.strictObject({
  /** the name of the company or person that sells */
  legalName: nonEmptyText(120),
  /** as the country writes it, such as a CNPJ or a VAT number */
  taxNumber: v.optional(nonEmptyText(40)),
  /** the postal address, in one line */
  address: v.optional(nonEmptyText(200)),
  /**
   * labels the tax number as that country does, such as ИНН for RU. Without it, the number itself or `invoices.country`
   * decides. Otherwise the label is "Tax number" in the customer's language.
   */
  country: v.optional(country),
});

/** Per cent with at most three decimals, the precision of the column `invoices.rate`. */
const rateSchema = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(99),
  v.check((rate) => Number(rate.toFixed(3)) === rate, 'must have at most 3 decimals'),
);

/** Without it, the brand issues no invoices. Prices include the tax. */
export const invoicesSchema = v.strictObject({
  /** the beginning of every number; it belongs to one brand for ever, so that no number exists twice */
  prefix: v.pipe(v.string(), v.regex(/^[A-Z][A-Z\d]{0,9}$/, 'must be 1 to 10 capital letters and digits')),
  /** the country of a sale whose payment does not name one */
  country,
  /** by country, and `default` for all others */
  tax: v.optional(
    v.record(
      v.pipe(
        v.string(),
        v.check((key) => key === 'default' || isCountry(key), `${countryMessage}, or default`),
      ),
      v.strictObject({
        /** what the tax is called, such as VAT */
        name: nonEmptyText(20),
        /** in per cent of the net price, with at most three decimals */
        rate: rateSchema,
      }),
    ),
    {},
  ),
});
