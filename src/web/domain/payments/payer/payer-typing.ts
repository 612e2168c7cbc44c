import { normalizeTaxId } from '#contract/tax-id.ts';
import { plainCharacters } from '#contract/typed-text.ts';
import { cardBrand, cardCodeLength, groupCardNumber } from './card-brand.ts';
import { typedExpiry } from './expiry-typing.ts';
import type { PayerForm, PayerKey } from './payer-form.ts';
import { typedMobile, typedPhone } from './phone-typing.ts';
import { fitting, isOneCharacterMore, plainDigits } from './typed-digits.ts';

/** What the form knows besides the typed text. */
export interface TypingContext {
  /** length of the security code of a saved card */
  readonly codeDigits?: number | undefined;
  /** country code before the mobile number's field; digits */
  readonly mobileCode?: string | undefined;
  /** name of the mobile money service, such as M-Pesa */
  readonly mobileName?: string | undefined;
  /** country code of the phone number if known; digits */
  readonly phoneCode?: string | undefined;
}

/**
 * The form after typing or pasting `given` into a field. Card, document and phone fields drop spaces and invalid
 * characters; names and places stay as typed. Pasted text is understood, or stays unchanged and shows an error; it is
 * never truncated into another value.
 */
export function typed(
  key: PayerKey,
  given: string,
  form: PayerForm,
  context: TypingContext = {},
): Partial<Record<PayerKey, string>> {
  const text = plainCharacters(given);
  switch (key) {
    case 'phone':
      return { phone: typedPhone(text, form.phone, context.phoneCode) };
    case 'number':
      return { number: groupCardNumber(text, form.number) };
    case 'expiry':
      return { expiry: typedExpiry(text, form.expiry) };
    case 'code':
      return { code: fitting(text, form.code, context.codeDigits ?? codeLength(form)) };
    case 'document':
      return { document: typedDocument(text, form.document) };
    case 'mobile':
      return { mobile: typedMobile(text, form.mobile, context.mobileCode) };
    default:
      return { [key]: given };
  }
}

const codeLength = ({ number }: PayerForm) => cardCodeLength(cardBrand(plainDigits(number)));

const cnpjLength = 14;
/** Long enough to show what was pasted by mistake. */
const longestId = 24;

/** CPF as 529.982.247-25, CNPJ as 12.ABC.345/01DE-35; CNPJ has letters since July 2026. */
function typedDocument(text: string, before: string): string {
  const id = normalizeTaxId(text.replace(/^\s*(CPF|CNPJ)\b/i, ''));
  const old = normalizeTaxId(before);
  const kept = id.length > cnpjLength && isOneCharacterMore(id, old) ? old : id.slice(0, longestId);
  if (kept.length > cnpjLength) return kept;
  if (kept.length <= 11 && /^\d*$/.test(kept)) return punctuate(kept, [3, 6, 9], ['.', '.', '-']);
  return punctuate(kept, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

function punctuate(id: string, at: readonly number[], marks: readonly string[]): string {
  let shown = '';
  for (const [index, character] of id.split('').entries()) {
    const mark = at.indexOf(index);
    shown += (mark === -1 ? '' : (marks[mark] ?? '')) + character;
  }
  return shown;
}
