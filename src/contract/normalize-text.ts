/**
 * Normalization of typed and pasted text. Web pages, PDFs, messengers and foreign keyboards add invisible characters
 * and type digits, dashes and apostrophes in many forms; browser and server normalize them alike.
 */

/** Zero-width and bidirectional marks, soft hyphens, variation selectors (Unicode DerivedCoreProperties), and controls. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB\u2800]/gu;
/** Control characters that separate words become spaces. */
const wordSeparators = /[\t\n\v\f\r\u0085]/g;

export const removeInvisible = (text: string): string => text.replace(wordSeparators, ' ').replace(invisible, '');

/** Dashes and minus signs of every keyboard, and the Japanese length mark, which is on the same key. */
const dashes = /[\p{Pd}\u02D7\u2043\u2212\u30FC\uFF70]/gu;
/** Acute accents, curly and modifier apostrophes, primes. Not the backtick, which email addresses may contain. */
const apostrophes = /[\u00B4\u02B9\u02BB-\u02BF\u02C8\u02CA\u02CB\u055A\u2018-\u201B\u2032\u2035\uA78C\uFF07\uFF40]/gu;

/** Replaces dashes and apostrophes by those of ASCII. */
const toAsciiPunctuation = (text: string): string => text.replace(dashes, '-').replace(apostrophes, "'");

/** Replaces the decimal digits of every script by those of ASCII: `٠١٢` and `０１２` are `012`. */
export const toAsciiDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, plainDigit);

function plainDigit(digit: string): string {
  // Unicode has the digits of each script in a row from 0 to 9; adjacent rows are complete
  const codePoint = digit.codePointAt(0) ?? 0;
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((codePoint - first) % 10);
}

/**
 * Text in ASCII where possible; full-width letters become ordinary ones (Unicode NFKC). Punctuation is replaced before
 * NFKC, which would turn an accent into a space with a combining mark, and after it, because NFKC turns some letters
 * into dashes.
 */
export const normalizeCharacters = (text: string): string =>
  toAsciiDigits(toAsciiPunctuation(removeInvisible(toAsciiPunctuation(text)).normalize('NFKC')));

/** A value without spaces, such as an address, a phone number, a code or a tax ID. */
export const normalizeToken = (text: string): string => normalizeCharacters(text).replace(/\s/g, '').normalize('NFC');
