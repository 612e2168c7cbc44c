import { removeInvisible } from './typed-text.ts';

const dashes = /[\p{Pd}\u02D7\u2043\u2212]/gu;
/** As in `typed-text.ts`, with the backtick and the Hebrew geresh, which stand for an apostrophe in names. */
const apostrophes =
  /[`\u00B4\u02B9\u02BB-\u02BF\u02C8\u02CA\u02CB\u055A\u05F3\u2018-\u201B\u2032\u2035\uA78C\uFF07\uFF40]/gu;
/** Curly, low and angle quotes, and the Hebrew gershayim, which stands in abbreviations. */
const quotes = /[\u00AB\u00BB\u05F4\u201C-\u201F\u2033\u2036\u2039\u203A\u275D\u275E\u300C-\u300F]/g;
const tradeMarks = /[\u00A9\u00AE\u2120\u2122]/g;
const fullWidth = /[\uFF01-\uFF5E\uFF65-\uFF9F]+/g;

/** Persian and the scripts of India write joiners inside words (Unicode Standard, 23.2); other invisible characters go. */
function withoutMarks(text: string): string {
  const words = text.split(/(\p{L}\p{M}*[\u200C\u200D])(?=\p{L})/u);
  return words.map((part, index) => (index % 2 === 1 ? part : removeInvisible(part))).join('');
}

/**
 * A name as it is sent to a provider: one apostrophe, one quote, one dash and one kind of space, whatever the keyboard has;
 * composed letters (Unicode NFC), nothing invisible, no trade marks, and full-width letters as ordinary ones.
 */
export function typedName(text: string): string {
  const plain = text
    .replace(apostrophes, "'")
    .replace(fullWidth, (letters) => letters.normalize('NFKC'))
    .replace(dashes, '-')
    .replace(quotes, '"')
    .replace(tradeMarks, '');
  return withoutMarks(plain).replace(/\s+/g, ' ').trim().normalize('NFC').replace(apostrophes, "'");
}

/** So many digits are a card, a phone or a tax number in the wrong field, and no name of a company. */
const mostDigits = 7;
/** Companies of one person in Brazil (MEI) are called by the person and eight digits of the CNPJ, once by the whole CPF. */
const mei = /^(?:\d\d\.?\d{3}\.?\d{3} (?<name>\D+)|(?<before>\D+) \d{3}\.?\d{3}\.?\d{3}-?\d\d)$/;

/**
 * A name of a person or a company as cards and passports have it: letters of any script, with what joins them, and the digits
 * and signs of companies (`3M LTDA`, `C&A`). What has no letter, or signs of markup and addresses, is refused.
 */
export function isPersonName(text: string): boolean {
  const name = typedName(text);
  const hasFewDigits = name.replace(/\P{Nd}/gu, '').length <= mostDigits;
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
