import { areaCodeDigits } from '../../../../contract/limits.ts';
import type { PayerForm } from './payer-form.ts';
import { fitting, plainDigits } from './typed-digits.ts';

/** Digits of a mobile number in the countries that pay by it, at least; a longer one has its country before it. */
const mobileDigits = 9;
const longestMobile = 13;
/** Digits of a telephone number without its area code: the form takes 7 to 11, and one with its area has two more. */
const longestLocal = 11;
const withArea = 10;

interface Number {
  /** `+` and `00` say that a country code follows */
  readonly international: boolean;
  readonly digits: string;
}

function numberIn(text: string): Number {
  const [, prefix, rest = ''] = /^[\s(]*(\+|00)?(.*)$/s.exec(text) ?? [];
  return { international: prefix !== undefined, digits: plainDigits(rest) };
}

/** A number out of an address book brings its country along, with `+`, with `00` or bare; another country's stays whole. */
export function typedMobile(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  if (country && digits.startsWith(country)) {
    const national = digits.slice(country.length);
    if (international || national.length >= mobileDigits) return national;
  }
  return international ? `+${digits}` : fitting(text, before, longestMobile);
}

/**
 * A telephone number has its area code in a field of its own. A whole number that is pasted, `+55 (11) 98888-7777` or
 * `011 98888-7777`, fills both; one of another country stays as it is, and is refused with words.
 */
export function typedPhone(
  key: 'phone' | 'phoneArea',
  text: string,
  form: PayerForm,
  country: string | undefined,
): Partial<PayerForm> {
  const { international, digits } = numberIn(text);
  const own = international && country !== undefined && digits.startsWith(country);
  // the zero that is dialled before an area code is no part of the number
  const national = (own ? digits.slice(country.length) : digits).replace(/^0/, '');
  const pasted = own || plainDigits(text).length > plainDigits(form[key]).length + 1;
  const foreign = international && !own;
  const begins = own || /^\s*\(?0?\d{2}\)/.test(text) || form.phoneArea === '' || key === 'phoneArea';
  if (pasted && !foreign && begins && national.length >= withArea && national.length <= longestLocal) {
    return { phoneArea: national.slice(0, areaCodeDigits), phone: national.slice(areaCodeDigits) };
  }
  if (international) return { [key]: `+${digits}` };
  if (key === 'phone') return { phone: fitting(text, form.phone, longestLocal) };
  return { phoneArea: pasted ? national : fitting(text, form.phoneArea, areaCodeDigits) };
}
