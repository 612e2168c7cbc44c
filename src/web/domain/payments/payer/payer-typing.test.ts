import { describe, expect, test } from 'vitest';
import { emptyPayerForm, toPayer, type PayerForm, type PayerKey } from './payer-form.ts';
import { payerProblems } from './payer-problems.ts';
import { applyTypedText, type TypingContext } from './payer-typing.ts';

const facts = { now: Date.UTC(2026, 10, 20), currency: 'BRL' };

/** The form after each letter was typed, as on a phone. */
function afterTyping(key: PayerKey, letters: string, context: TypingContext = {}): PayerForm {
  let form = emptyPayerForm;
  for (const letter of letters) form = { ...form, ...applyTypedText(key, form[key] + letter, form, context) };
  return form;
}

const pasted = (key: PayerKey, text: string, context: TypingContext = {}, form = emptyPayerForm) => ({
  ...form,
  ...applyTypedText(key, text, form, context),
});
const visa = { ...emptyPayerForm, number: '4242 4242 4242 4242' };
const problemOf = (key: PayerKey, form: PayerForm) =>
  payerProblems(form, ['card', 'document', 'phone', 'mobile', 'address'], facts)[key];

describe('typing', () => {
  test('inserts groups, slash and punctuation', () => {
    expect(afterTyping('number', '4242424242424242').number).toBe('4242 4242 4242 4242');
    expect(afterTyping('expiry', '1229').expiry).toBe('12/29');
    expect(afterTyping('expiry', '529').expiry).toBe('05/29');
    expect(afterTyping('expiry', '1/27').expiry).toBe('01/27');
    expect(afterTyping('document', '52998224725').document).toBe('529.982.247-25');
    expect(afterTyping('document', '12abc34501de35').document).toBe('12.ABC.345/01DE-35');
  });

  test('retains a dialled zero while digits are deleted', () => {
    const brazil = { phoneCode: '55' };
    let phone = '01511988887777';
    for (let erased = '0151198888777'; erased !== ''; erased = erased.slice(0, -1)) {
      phone = applyTypedText('phone', erased, { ...emptyPayerForm, phone }, brazil).phone ?? '';
      expect(phone).toBe(erased);
    }
    const beginsWithZero = { ...emptyPayerForm, phone: '(10) 98888-7777' };
    expect(applyTypedText('phone', '(0) 98888-7777', beginsWithZero, brazil)).toEqual({ phone: '0988887777' });
  });

  test('retains a dialled zero when a digit is replaced, and drops it when the number is replaced', () => {
    const brazil = { phoneCode: '55' };
    const form = { ...emptyPayerForm, phone: '015119888877' };
    expect(applyTypedText('phone', '014119888877', form, brazil)).toEqual({ phone: '014119888877' });
    const whole = { ...emptyPayerForm, phone: '01511988887777' };
    expect(applyTypedText('phone', '011 98765-4321', whole, brazil)).toEqual({ phone: '(11) 98765-4321' });
    expect(applyTypedText('phone', '011 98765-4321', { ...whole, phone: '(21) 3333-4444' }, brazil)).toEqual({
      phone: '(11) 98765-4321',
    });
  });

  test('retains a dialled zero when the rest is pasted after it', () => {
    const form = { ...emptyPayerForm, phone: '015' };
    expect(applyTypedText('phone', '01511988887', form, { phoneCode: '55' })).toEqual({ phone: '01511988887' });
  });

  test('sends a dialling prefix after the calling code, too', () => {
    expect(afterTyping('phone', '+5501511988887777', { phoneCode: '55' }).phone).toBe('01511988887777');
    expect(afterTyping('phone', '+55011988887777', { phoneCode: '55' }).phone).toBe('011988887777');
  });

  test('accepts every digit of a number that is longer than Brazilian ones', () => {
    for (const phoneCode of ['62', undefined]) {
      expect(afterTyping('phone', '812345678901', { phoneCode }).phone).toBe('812345678901');
      expect(afterTyping('phone', '0812345678901', { phoneCode }).phone).toBe('0812345678901');
      expect(afterTyping('phone', '1234567890123456', { phoneCode }).phone).toBe('123456789012345');
    }
  });

  test('accepts a four-digit year once it is complete', () => {
    expect(afterTyping('expiry', '12/203').expiry).toBe('12/203');
    expect(afterTyping('expiry', '12/2030').expiry).toBe('12/30');
    expect(afterTyping('expiry', '122030').expiry).toBe('12/30');
  });

  test('erases the digit before the slash with the slash', () => {
    expect(applyTypedText('expiry', '12', { ...emptyPayerForm, expiry: '12/' })).toEqual({ expiry: '12' });
    expect(applyTypedText('expiry', '1', { ...emptyPayerForm, expiry: '12' })).toEqual({ expiry: '1' });
  });

  test('ignores a digit after the last one', () => {
    expect(afterTyping('code', '1234').code).toBe('123');
    expect(afterTyping('expiry', '12299').expiry).toBe('12/29');
    expect(afterTyping('document', '112223330001819').document).toBe('11.222.333/0001-81');
    expect(afterTyping('phone', '119888877776', { phoneCode: '55' }).phone).toBe('(11) 98888-7777');
    expect(applyTypedText('code', '12345', visa, { codeDigits: 4 })).toEqual({ code: '12345' });
  });
});

describe('pasting', () => {
  test.each([
    ['12 / 2030', '12/30'],
    ['12/2030', '12/30'],
    ['1/2030', '01/30'],
    ['12-30', '12/30'],
    ['2030-12', '12/30'],
    ['122030', '12/30'],
    ['1230', '12/30'],
    [' 12 / 30 ', '12/30'],
  ])('accepts an expiry of %j', (text, expiry) => {
    expect(pasted('expiry', text).expiry).toBe(expiry);
  });

  test.each(['12/30/2029', '31.12.2030', 'Dec 2030', '12345', '12/30 123'])(
    'refuses an expiry of %j without changing it',
    (text) => {
      expect(problemOf('expiry', pasted('expiry', text))).toBe('expiryWrong');
    },
  );

  test.each([
    '+55 (11) 98888-7777',
    '0055 11 98888 7777',
    '(11) 98888-7777',
    '011 98888-7777',
    '(011) 98888-7777',
    '11988887777',
  ])('accepts the complete phone number %j and formats it', (text) => {
    const form = pasted('phone', text, { phoneCode: '55' });
    expect(form.phone).toBe('(11) 98888-7777');
    expect(problemOf('phone', form)).toBeUndefined();
    expect(toPayer(form, ['phone']).phone).toBe('11988887777');
  });

  test('groups a number while it is typed, and reports a missing area code', () => {
    expect(afterTyping('phone', '11988887777', { phoneCode: '55' }).phone).toBe('(11) 98888-7777');
    expect(afterTyping('phone', '+5511988887777', { phoneCode: '55' }).phone).toBe('(11) 98888-7777');
    expect(afterTyping('phone', '1133334444', { phoneCode: '55' }).phone).toBe('(11) 3333-4444');
    expect(problemOf('phone', pasted('phone', '98888-7777', { phoneCode: '55' }))).toBe('areaCodeWrong');
  });

  test('sends a phone number of another country with its plus, and refuses it for mobile money', () => {
    for (const text of ['+1 (415) 555-0100', '001 415 555 0100', '＋1 415 555 0100']) {
      const phone = pasted('phone', text, { phoneCode: '55' });
      const mobile = pasted('mobile', text, { mobileCode: '254' });
      expect(problemOf('phone', phone)).toBeUndefined();
      expect(toPayer(phone, ['phone']).phone).toBe('+14155550100');
      expect(problemOf('mobile', mobile)).toBe('mobileWrong');
    }
    expect(afterTyping('phone', '+351912345678', { phoneCode: '55' }).phone).toBe('+351912345678');
    expect(problemOf('phone', pasted('phone', '+3519', { phoneCode: '55' }))).toBe('phoneWrong');
  });

  test.each(['0 15 11 98888-7777', '01511988887777'])('sends a dialling prefix unchanged: %s', (text) => {
    for (const form of [pasted('phone', text, { phoneCode: '55' }), afterTyping('phone', text, { phoneCode: '55' })]) {
      expect(toPayer(form, ['phone']).phone).toBe('01511988887777');
      expect(problemOf('phone', form)).toBeUndefined();
    }
  });

  test.each([
    ['code', '12345', 'codeThree'],
    ['number', '4242 4242 4242 4242, 12/30', 'numberWrong'],
    ['document', '529.982.247-25 or 11.222.333/0001-81', 'documentWrong'],
    ['phone', '11 98888-7777 and 11 98888-6666', 'phoneWrong'],
    ['streetNumber', '1500, apartment 42', 'placeLong'],
    ['city', 'x'.repeat(61), 'placeLong'],
  ] as const)('refuses text that is too long for %s instead of truncating it', (key, text, problem) => {
    expect(problemOf(key, pasted(key, text, {}, visa))).toBe(problem);
  });

  test('accepts a document that is pasted with its name', () => {
    expect(pasted('document', 'CPF: 529.982.247-25').document).toBe('529.982.247-25');
    expect(pasted('document', 'CNPJ 12.ABC.345/01DE-35').document).toBe('12.ABC.345/01DE-35');
  });
});

test('accepts a mobile number with its country code or a leading zero, typed, pasted or filled in', () => {
  const kenya = { mobileCode: '254' };
  const at = (text: string) => pasted('mobile', text, kenya).mobile;
  const ways = ['712 345 678', '+254 712 345 678', '00254712345678', '254712345678', '0712345678'].map(at);
  const sent = ways.map((mobile) => toPayer({ ...emptyPayerForm, mobile }, ['mobile']).phone);
  // without a plus the digits are sent unchanged: the server interprets zeros and codes
  // (tests/api/payer-numbers.test.ts)
  expect(sent).toEqual(['712345678', '712345678', '712345678', '254712345678', '0712345678']);
  expect(afterTyping('mobile', '+254712345678', kenya).mobile).toBe('712345678');
  expect(at('2547')).toBe('2547');
  const problem = (mobile: string) => problemOf('mobile', { ...emptyPayerForm, mobile });
  expect([problem('0712345678'), problem('0000000'), problem('')]).toEqual([undefined, 'mobileWrong', 'mobileWrong']);
});

test.each(['٠', '۰', '०', '๐', '０'])('accepts digits of the script of %s in every numeric field', (zero) => {
  const inScript = (text: string) =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
  const context = { mobileCode: '254', phoneCode: '55' };
  for (const [key, text, shown] of [
    ['number', '4242424242424242', '4242 4242 4242 4242'],
    ['expiry', '1229', '12/29'],
    ['code', '123', '123'],
    ['document', '52998224725', '529.982.247-25'],
    ['mobile', '712345678', '712345678'],
    ['phone', '11988887777', '(11) 98888-7777'],
  ] as const) {
    expect(afterTyping(key, inScript(text), context)[key], key).toBe(shown);
    expect(pasted(key, inScript(text), context)[key], key).toBe(shown);
  }
  expect(problemOf('zipCode', { ...emptyPayerForm, zipCode: inScript('01310-100') })).toBeUndefined();
});
