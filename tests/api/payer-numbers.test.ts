import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import mobileExamples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { nationalNumber, payerPhone } from '#server/billing/check-payer.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { emptyPayerForm, toPayer } from '#web/domain/payments/payer/payer-form.ts';
import { payerProblems } from '#web/domain/payments/payer/payer-problems.ts';
import { typedMobile, typedPhone } from '#web/domain/payments/payer/payer-typing.ts';

const examples = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, mobileExamples);
  return example ? [{ country, code: example.countryCallingCode, national: example.nationalNumber }] : [];
});

const pasted = (text: string, code: string) => typedMobile(text, '', code);
const typed = (text: string, code: string) =>
  text.split('').reduce((shown, digit) => typedMobile(shown + digit, shown, code), '');
/** The number that the server reads from the field, and the problem that the form reports. */
const paidBy = (mobile: string, code: string) => ({
  number: nationalNumber(toPayer({ ...emptyPayerForm, mobile }, ['mobile']).phone ?? '', code),
  problem: payerProblems({ ...emptyPayerForm, mobile }, ['mobile'], { now: 0, currency: 'XOF' }).mobile,
});

describe('mobile money', () => {
  it.each(examples)('accepts a number of $country, typed or pasted', ({ code, national }) => {
    const expected = canonicalNumber(`+${code}${national}`)?.national;
    const spellings = [national, `+${code} ${national}`, `00${code}${national}`, `${code}${national}`];
    const fields = spellings.flatMap((text) => [pasted(text, code), typed(text, code)]);
    expect(fields.map((mobile) => paidBy(mobile, code).number)).toEqual(fields.map(() => expected));
    // the shortest numbers belong to islands without mobile money
    if (national.length > 5) expect(fields.filter((mobile) => paidBy(mobile, code).problem)).toEqual([]);
  });

  it.each([
    ['CI', '225', '07 01 02 03 04', '0701020304'],
    ['BJ', '229', '01 97 12 34 56', '0197123456'],
    ['CG', '242', '06 612 3456', '066123456'],
    ['GA', '241', '06 03 12 34', '06031234'],
    ['KZ', '7', '771 000 99 98', '7710009998'],
    ['KE', '254', '0712 345 678', '712345678'],
    ['SN', '221', '077 123 45 67', '771234567'],
  ])('keeps the digits of a number of %s', (_country, code, text, national) => {
    for (const mobile of [pasted(text, code), typed(text, code)])
      expect(paidBy(mobile, code)).toEqual({ number: national, problem: undefined });
  });

  it('refuses a number of another country', () => {
    expect(paidBy(pasted('+33 6 12 34 56 78', '225'), '225')).toEqual({ number: undefined, problem: 'mobileWrong' });
  });
});

describe('the telephone number of the payer', () => {
  const typedBy = (text: string, code: string) => [
    typedPhone(text, '', code),
    text.split('').reduce((shown, digit) => typedPhone(shown + digit, shown, code), ''),
  ];
  const sentBy = (phone: string, code: string) =>
    payerPhone(toPayer({ ...emptyPayerForm, phone }, ['phone']).phone ?? '', [code]);

  it.each(examples)('of $country reaches the provider as it was entered', ({ code, national }) => {
    const expected = canonicalNumber(`+${code}${national}`);
    const own = [national, `+${code} ${national}`, `00${code}${national}`].flatMap((text) => typedBy(text, code));
    expect(own.map((phone) => sentBy(phone, code))).toEqual(own.map(() => expected?.national));
    const abroad = code === '55' ? '54' : '55';
    const foreign = typedBy(`+${code} ${national}`, abroad);
    expect(foreign.map((phone) => sentBy(phone, abroad))).toEqual(foreign.map(() => `+${expected?.digits}`));
  });

  it.each(['0 15 11 98765-4321', '011 98765-4321', '+55 (11) 98765-4321', '5511987654321'])(
    'of Brazil is the same in every spelling: %s',
    (text) => {
      expect(typedBy(text, '55').map((phone) => sentBy(phone, '55'))).toEqual(['11987654321', '11987654321']);
    },
  );
});
