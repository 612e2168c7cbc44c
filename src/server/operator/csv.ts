/** Without it, Excel reads UTF-8 as the character set of its country. */
export const byteOrderMark = '\uFEFF';

/** By RFC 4180. */
export const csvLine = (cells: readonly string[]) =>
  cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

/** Customers wrote some of it. The characters of full width begin a formula in Japanese and Chinese programs. */
const isFormula = (text: string) => /^[=+@\-＝＋＠－]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text);

const months = new Set(
  'jan ene feb fev mar apr abr may mai jun jul aug ago sep set oct out okt nov dec dic dez'
    .concat(' янв фев апр май мая июн июл авг сен окт ноя дек')
    .split(' '),
);
const isMonth = (text: string) => months.has(text.slice(0, 3).toLowerCase());

/** Text that would lose zeros or digits as a number, or become a day: `012`, `1E3`, `5/10`, `JUNE-10`. */
const isMisread = (text: string) =>
  /^(?:0\d+|\d{12,}|\d+(?:\.\d+)?e[+-]?\d+|\d{1,4}(?:[/-]\d{1,4}){1,2})$/i.test(text)
    ? !/^\d{4}-\d\d-\d\d$/.test(text)
    : /^\p{L}{3,}[-/. ]?\d{1,4}$/u.test(text) && isMonth(text);

/** A time without `T` and `Z`, which a spreadsheet reads as a time; an apostrophe before what it must not change. */
export function csvText(cell: string | number | boolean | null): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replaceAll(/\p{Cc}+/gu, ' ').replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2');
  return isFormula(text) || isMisread(text) ? `'${text}` : text;
}
