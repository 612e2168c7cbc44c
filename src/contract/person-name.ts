import { removeInvisible } from './normalize-text.ts';

const dashes = /[\p{Pd}\u02D7\u2043\u2212]/gu;
/** As in `normalize-text.ts`, plus the backtick and the Hebrew geresh, which serve as apostrophes in names. */
const apostrophes =
  /[`\u00B4\u02B9\u02BB-\u02BF\u02C8\u02CA\u02CB\u055A\u05F3\u2018-\u201B\u2032\u2035\uA78C\uFF07\uFF40]/gu;
/** Curly, low and angle quotes, and the Hebrew gershayim, used in abbreviations. */
const quotes = /[\u00AB\u00BB\u05F4\u201C-\u201F\u2033\u2036\u2039\u203A\u275D\u275E\u300C-\u300F]/g;
const tradeMarks = /[\u00A9\u00AE\u2120\u2122]/g;
const fullWidth = /[\uFF01-\uFF5E\uFF65-\uFF9F]+/g;

/**
 * Removes invisible characters, except joiners inside words, which Persian and the scripts of India need (Unicode
 * Standard, 23.2).
 */
function withoutMarks(text: string): string {
  const words = text.split(/(\p{L}\p{M}*[\u200C\u200D])(?=\p{L})/u);
  return words.map((part, index) => (index % 2 === 1 ? part : removeInvisible(part))).join('');
}

/**
 * A name as it is sent to a provider: one kind of apostrophe, quote, dash and space, whatever the keyboard types;
 * composed letters (Unicode NFC), nothing invisible, no trade marks, and ordinary instead of full-width letters.
 */
export function normalizeName(text: string): string {
  const plain = text
    .replace(apostrophes, "'")
    .replace(fullWidth, (letters) => letters.normalize('NFKC'))
    .replace(dashes, '-')
    .replace(quotes, '"')
    .replace(tradeMarks, '');
  return withoutMarks(plain).replace(/\s+/g, ' ').trim().normalize('NFC').replace(apostrophes, "'");
}

/** More digits are a card, phone or tax number in the wrong field. */
const maxDigits = 7;
/**
 * One-person companies in Brazil (MEI) are named by the person and eight digits of the CNPJ, formerly by the whole CPF.
 */
const mei = /^(?:\d\d\.?\d{3}\.?\d{3} (?<name>\D+)|(?<before>\D+) \d{3}\.?\d{3}\.?\d{3}-?\d\d)$/;

/**
 * A name of a person or company as on cards and passports: letters of any script with joining characters, and the
 * digits and signs of companies (`3M LTDA`, `C&A`). Text without a letter, or with signs of markup and addresses, is
 * refused.
 */
export function isPersonName(text: string): boolean {
  const name = normalizeName(text);
  const hasFewDigits = name.replace(/\P{Nd}/gu, '').length <= maxDigits;
  return (
    /^(?:[\p{L}\p{M}\p{N} .,'"!#&/()+·・-]|\u200C|\u200D)+$/u.test(name) &&
    /\p{L}/u.test(name) &&
    (hasFewDigits || isMei(name))
  );
}

function isMei(name: string): boolean {
  const { name: after, before } = mei.exec(name)?.groups ?? {};
  return /\p{L}\S* \S*\p{L}/u.test(after ?? before ?? '');
}
