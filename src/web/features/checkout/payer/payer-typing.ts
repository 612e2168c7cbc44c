import { normalizeTaxId } from '../../../../contract/tax-id.ts';
import { cardBrand, cardCodeLength, groupCardNumber } from './card-brand.ts';
import type { PayerForm, PayerKey } from './payer-form.ts';

const digits = (text: string, max: number) => text.replace(/\D/g, '').slice(0, max);

/** What the form knows beside what is typed. */
export interface TypingContext {
  /** digits of the code of a saved card */
  readonly codeDigits?: number | undefined;
  /** country code of the mobile number, which stands before its field */
  readonly diallingCode?: string | undefined;
}

/**
 * What a field holds after typing or pasting `text` into it: card, document and phone fields lose spaces and what
 * cannot belong there; names and places are left as they were typed.
 */
export function typed(key: PayerKey, text: string, form: PayerForm, context: TypingContext = {}): string {
  switch (key) {
    case 'number':
      return groupCardNumber(text);
    case 'expiry':
      return typedExpiry(text, form.expiry);
    case 'code':
      return digits(text, context.codeDigits ?? cardCodeLength(cardBrand(form.number.replace(/\D/g, ''))));
    case 'document':
      return typedDocument(text);
    case 'phoneArea':
      return digits(text, 2);
    case 'phone':
      return digits(text, 11);
    case 'mobile':
      return digits(withoutCountry(text, context.diallingCode), 13);
    default:
      return text;
  }
}

/** Digits of a mobile number in the countries that pay by it, at least; a longer one has its country before it. */
const nationalDigits = 9;

/** A number out of an address book brings its country along, with `+`, with `00` or bare. */
function withoutCountry(text: string, diallingCode: string | undefined): string {
  const [, country, rest = ''] = /^\s*(\+|00)?(.*)$/s.exec(text) ?? [];
  const number = rest.replace(/\D/g, '');
  if (!diallingCode || !number.startsWith(diallingCode)) return country === '00' ? `00${number}` : number;
  const national = number.slice(diallingCode.length);
  return country !== undefined || national.length >= nationalDigits ? national : number;
}

/** `MM/YY`; a four-digit year, as password managers fill it, loses its century; erasing the slash erases the digit. */
function typedExpiry(text: string, before: string): string {
  const long = /^\s*(\d{1,2})\s*[/.-]\s*20(\d{2})\s*$/.exec(text);
  if (long) return `${(long[1] ?? '').padStart(2, '0')}/${long[2]}`;
  const single = /^\s*([1-9])\s*[/.-]/.exec(text);
  const plain = digits(single ? `0${text.trim()}` : text, 4);
  const month = /^[2-9]/.test(plain) ? `0${plain}`.slice(0, 4) : plain;
  const erasing = text.length < before.length;
  if (month.length < 2 || (month.length === 2 && erasing)) return erasing ? text.replace(/\D/g, '') : month;
  return `${month.slice(0, 2)}/${month.slice(2)}`;
}

/** CPF as 529.982.247-25, CNPJ as 12.ABC.345/01DE-35; CNPJ has letters since July 2026. */
function typedDocument(text: string): string {
  const id = normalizeTaxId(text).slice(0, 14);
  if (id.length <= 11 && /^\d*$/.test(id)) return punctuated(id, [3, 6, 9], ['.', '.', '-']);
  return punctuated(id, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

function punctuated(id: string, at: readonly number[], marks: readonly string[]): string {
  let shown = '';
  for (const [index, character] of id.split('').entries()) {
    const mark = at.indexOf(index);
    shown += (mark === -1 ? '' : (marks[mark] ?? '')) + character;
  }
  return shown;
}
