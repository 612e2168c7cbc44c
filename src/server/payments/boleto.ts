import { dueFactor } from './boleto-days.ts';

/**
 * Boleto: a barcode of 44 digits (bank 3, currency 9, check digit, due factor 4, amount 10, free field 25), and a
 * typed line of 47, which contains the same digits in another order with a check digit after each of its three fields
 * (FEBRABAN, Layout Padrão de Código de Barras; Banco Central do Brasil, Carta-Circular 2.926).
 */
export interface Boleto {
  /** three digits */
  readonly bank: string;
  /** four digits, see `dueDayOf`; 0000 for a slip without a due day */
  readonly factor: string;
  /** minor units of BRL */
  readonly amount: number;
  /** 25 digits with a meaning for the bank only */
  readonly free: string;
  readonly barcode: string;
  /** grouped as on the slip */
  readonly line: string;
}

/** The currency code of the Real. */
const currency = '9';

/** The slip for a due day (`YYYY-MM-DD`). Throws RangeError for values that do not fit its digits. */
export function boleto(slip: Pick<Boleto, 'bank' | 'amount' | 'free'> & { readonly dueDay: string }): Boleto {
  const { bank, amount, free, dueDay } = slip;
  if (!/^\d{3}$/.test(bank)) throw new RangeError('a bank has three digits');
  if (!/^\d{25}$/.test(free)) throw new RangeError('a free field has 25 digits');
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount >= 1e10)
    throw new RangeError('amount must be minor units');
  const factor = dueFactor(dueDay);
  const rest = factor + String(amount).padStart(10, '0') + free;
  const barcode = bank + currency + barcodeDigit(bank + currency + rest) + rest;
  return { bank, factor, amount, free, barcode, line: lineOf(barcode) };
}

/** Parses a barcode, or a typed line with or without grouping. Undefined if a length or a check digit is wrong. */
export function parseBoleto(text: string): Boleto | undefined {
  const digits = text.replaceAll(/[\s.]/g, '');
  const barcode = digits.length === 47 ? barcodeOf(digits) : digits;
  if (!/^\d{44}$/.test(barcode ?? '') || barcode === undefined) return undefined;
  const [bank, money, digit, rest] = [barcode.slice(0, 3), barcode[3], barcode[4], barcode.slice(5)];
  if (money !== currency || digit !== barcodeDigit(bank + currency + rest)) return undefined;
  const [factor, amount, free] = [rest.slice(0, 4), Number(rest.slice(4, 14)), rest.slice(14)];
  return { bank, factor, amount, free, barcode, line: lineOf(barcode) };
}

/** The typed line of a barcode of 44 digits, grouped. */
export function lineOf(barcode: string): string {
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  const typed = fields.map((field) => {
    const whole = field + fieldDigit(field);
    return `${whole.slice(0, 5)}.${whole.slice(5)}`;
  });
  return [...typed, barcode.slice(4, 5), barcode.slice(5, 19)].join(' ');
}

/** The barcode of a line of 47 digits; undefined if the check digit of a field is wrong. */
function barcodeOf(line: string): string | undefined {
  const fields = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)];
  if (fields.some((field) => field.at(-1) !== fieldDigit(field.slice(0, -1)))) return undefined;
  const [first = '', second = '', third = ''] = fields.map((field) => field.slice(0, -1));
  return first.slice(0, 4) + line.slice(32) + first.slice(4) + second + third;
}

/** Modulus 10: alternating weights 2 and 1 from the right, with the digits of each product added up. */
function fieldDigit(field: string): string {
  const sum = fromRight(field).reduce((total, digit, at) => {
    const product = digit * (at % 2 === 0 ? 2 : 1);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Modulus 11: weights 2 to 9, repeating from the right; 0, 10 and 11 become 1. */
function barcodeDigit(withoutDigit: string): string {
  const sum = fromRight(withoutDigit).reduce((total, digit, at) => total + digit * (2 + (at % 8)), 0);
  const digit = 11 - (sum % 11);
  return String(digit > 9 ? 1 : digit);
}

function fromRight(digits: string): number[] {
  return Array.from(digits, Number).toReversed();
}
