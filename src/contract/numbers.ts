import { languages, type Language } from './fields.ts';

/** How numbers are written in a language (Unicode CLDR, which `numbers.test.ts` asks through Node). */
interface NumberStyle {
  readonly decimal: string;
  readonly group: string;
  /** how many digits a number has before the point when they are first parted into groups of three; 4 by default */
  readonly groupsFrom?: number;
  /** `#` stands for the number, `¤` for the currency */
  readonly money: string;
  readonly percent: string;
}

const styles: Readonly<Record<Language, NumberStyle>> = {
  en: { decimal: '.', group: ',', money: '¤#', percent: '#%' },
  pt: { decimal: ',', group: '.', money: '¤\u00a0#', percent: '#%' },
  es: { decimal: ',', group: '.', groupsFrom: 5, money: '#\u00a0¤', percent: '#\u00a0%' },
  ru: { decimal: ',', group: '\u00a0', money: '#\u00a0¤', percent: '#\u00a0%' },
};

/**
 * Prices are on the first pages, and the first `Intl.NumberFormat` of a page takes 12 ms, 50 on a cheap
 * phone, while the page comes to life. The few ways of writing a number fit into a table; and so the server
 * and every browser write the same.
 */
function styleOf(language: string): NumberStyle {
  return styles[languages.find((one) => one === language) ?? 'en'];
}

/** A number in the format of `language`, rounded to `digits` decimal places. */
export function formatNumber(value: number, language: string, digits = 0): string {
  return writeNumber(value, styleOf(language), digits);
}

function writeNumber(value: number, { decimal, group, groupsFrom = 4 }: NumberStyle, digits: number): string {
  const [whole = '', rest] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.length < groupsFrom ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return `${value < 0 ? '-' : ''}${grouped}${rest === undefined ? '' : decimal + rest}`;
}

/** `value` percent, with at most `most` decimal places: 12.5 is 12,5 % in Spanish, 12 is 12 %. */
export function formatPercent(value: number, language: string, maxDigits = 1): string {
  const rounded = Number(value.toFixed(maxDigits));
  const digits = String(rounded).split('.')[1]?.length ?? 0;
  return styleOf(language).percent.replace('#', formatNumber(rounded, language, digits));
}

/** The symbol comes first in Spanish, except for the currency of Spain. */
const americanSpanish: NumberStyle = { ...styles.es, groupsFrom: 4, money: styles.pt.money };
/** Currencies of Spanish-speaking countries that write a decimal point. */
const withDecimalPoint = 'CUP DOP GTQ HNL MXN NIO PAB PEN SVC';

/** How an amount is written: the country of the currency decides where a language does not. */
function amountStyleOf(language: string, currency: string): NumberStyle {
  const style = styleOf(language);
  if (style !== styles.es || currency === 'EUR') return style;
  const hasPoint = currency !== '' && withDecimalPoint.includes(currency);
  return hasPoint ? { ...americanSpanish, decimal: '.', group: ',' } : americanSpanish;
}

/**
 * An amount of a currency. A symbol of letters is separated from the digits (R 49.90); a sign follows the language
 * ($49.90).
 */
export function formatAmount(value: number, language: string, { currency, symbol, digits }: CurrencyStyle): string {
  const style = amountStyleOf(language, currency);
  const pattern = /\p{Sc}$/u.test(symbol) ? style.money : style.money.replace('¤#', '¤\u00a0#');
  const number = writeNumber(Math.abs(value), style, digits);
  return `${value < 0 ? '-' : ''}${pattern.replace('#', number).replace('¤', () => symbol)}`;
}

interface CurrencyStyle {
  /** ISO 4217 */
  readonly currency: string;
  readonly symbol: string;
  /** decimal places */
  readonly digits: number;
}
