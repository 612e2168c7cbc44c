import { describe, expect, it } from 'vitest';
import { isEmailAddress, normalizeEmail } from '#contract/email-address.ts';
import { isEmail, isKnownEmail, isPhone } from './account-rules.ts';

const addresses = [
  'ana@example.com',
  'a.b-c+d@mail.example.com.br',
  'no',
  'a@b',
  '@x.y',
  'a b@c.de',
  'ana@example.com\n',
];

describe('the rules of a brand', () => {
  it('accept every deliverable address, and no other, where the brand has no rule', () => {
    for (const email of ["o'brien@example.com", 'a&b@example.com', 'name@bücher.de', 'x@st.t.u-tokyo.ac.jp']) {
      expect([email, isEmail({}, email)]).toEqual([email, true]);
    }
    for (const email of ['a..b@x.com', '.a@x.com', 'a@1.2.3.4'])
      expect([email, isEmail({}, email)]).toEqual([email, false]);
    expect(isKnownEmail({}, 'a..b@x.com'), 'of a customer who signed up with it').toBe(true);
  });

  it('are the built-in ones where there are none', () => {
    expect([isEmail({}, 'x'), isPhone({}, '<script>')]).toEqual([false, false]);
    expect([isEmail({}, 'ana@example.com'), isPhone({}, '11912345678')]).toEqual([true, true]);
  });

  it.each([
    '^[\\w.-]+@([\\w-]+\\.)+[a-zA-Z]{2,}$',
    '^\\w+([-+.]\\w+)*@\\w+([-.]\\w+)*\\.\\w+([-.]\\w+)*$',
    '^(?=.{6,80}$)[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}$',
    '^[A-Za-z0-9\\u4e00-\\u9fa5._%+-]+@[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)+$',
  ])('are followed as the browser would follow them: %s', (email) => {
    for (const address of addresses) {
      const read = normalizeEmail(address);
      const right = isEmailAddress(read) && new RegExp(email).test(read);
      expect([address, isEmail({ email }, address)]).toEqual([address, right]);
    }
  });

  it('apply to phone numbers', () => {
    const phone = '^(\\+?55)?\\(?[1-9]{2}\\)?9?\\d{8}$';
    for (const number of ['11987654321', '+5511987654321', '(11)987654321', '1', '1198765432a']) {
      expect([number, isPhone({ phone }, number)]).toEqual([number, new RegExp(phone).test(number)]);
    }
  });

  it.each(['', '[', '(', 'a{2,1}', '*', '\\'])('give way to the built-in one when empty or broken: %s', (pattern) => {
    expect([isEmail({ email: pattern }, 'ana@example.com'), isEmail({ email: pattern }, 'ana')]).toEqual([true, false]);
    expect([isPhone({ phone: pattern }, '+5511987654321'), isPhone({ phone: pattern }, 'ana')]).toEqual([true, false]);
  });

  it('reject input that is longer than an account can be', () => {
    expect(isEmail({ email: '.' }, 'a'.repeat(161))).toBe(false);
    expect(isEmail({}, 'a'.repeat(161))).toBe(false);
  });
});
