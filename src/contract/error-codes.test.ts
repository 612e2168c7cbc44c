import { describe, expect, it } from 'vitest';
import {
  paymentFailures,
  errorCode,
  errorEntry,
  errorNameOf,
  errors,
  type ErrorField,
  type ErrorPolicy,
} from './error-codes.ts';

const codesByPolicy: Readonly<Record<ErrorPolicy, readonly number[]>> = {
  pass: [301, 302, 306, 309, 312, 314, 315, 2002, 2003, 2007, 3001, 5000, 5003, 5008, 5015],
  stbLogin: [201, 203],
  resetSilently: [21, -24010, -24020],
  toastAndReset: [-1112],
  warnAndLogin: [-24030],
  notFound: [6001],
  pricing: [6000],
  resetPassword: [2500, -2500],
  toast: [
    // account
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 28, 29, 32, 105, 112, 187, 197, 4596, 7004,
    // cards
    1014,
    // orders and payment
    1000, 1001, 1003, 1015, 1020, 1021, 1022, 1030, 1040, 1300, 2000, 2001, 2005, 2006, 2008, -2511, -2502, -2400,
    -2499, -2602, -2408,
    // renewal
    6201, 6202, 6204, 6206, 6207,
    // codes and others
    4000, 4597, 4598, 6699, 9000, 9001, 9002, 9003, 9991, 10024, 10025, 10026, 10027, 10028, 10029, 10302, 10303,
    // tokens and login
    -24031, -24040, -24050, -2223, -3031, -3032, -3033, -3034, -3035, -3036, -3039,
  ],
};

const codesByField: Readonly<Record<ErrorField, readonly number[]>> = {
  account: [1, 2, 5, 6, 7, 13, 28, 10024, 10025],
  password: [3],
  code: [10, 11, 10029, -3032, -3033, -3034],
  captcha: [-3035],
  email: [4, 8, 12, 187],
  phone: [32],
  areaCode: [4000],
  nickname: [],
  cardNumber: [314, 1014],
  cardCode: [315],
  cardExpiry: [309],
  savedCard: [-2511],
  discountCode: [1003, 9000, 9001, 9002, 9003, 9991],
};

const entryOf = (code: number) => errorEntry(errorNameOf(code));
const listed = Object.values(codesByPolicy).flat();

describe('the error catalogue', () => {
  it('contains every code of the specification: 103 with text, and 2007, 6000 and 6001', () => {
    expect(Object.values(errors).map(({ code }) => code)).toEqual(expect.arrayContaining(listed));
    expect(new Set(listed).size).toBe(103 + 3);
  });

  it.each(Object.entries(codesByPolicy))('has the right codes for the policy %s', (policy, codes) => {
    for (const code of codes) expect(entryOf(code), String(code)).toMatchObject({ policy });
  });

  it.each(Object.entries(codesByField))('shows the right codes at the field %s', (field, codes) => {
    const shownThere = listed.filter((code) => entryOf(code)?.field === field);
    expect(new Set(shownThere)).toEqual(new Set(codes));
  });

  it('has no field for errors that no single field can correct', () => {
    for (const code of [301, 302, 306, 312, 5015]) {
      expect(entryOf(code), String(code)).not.toHaveProperty('field');
    }
  });

  it('lists the errors that end a payment attempt without a charge', () => {
    const ending = (how: string) => listed.filter((code) => entryOf(code)?.declines === how);
    const always = [301, 302, 306, 309, 312, 314, 315, 1014, 2003, 2007, 5015, -2400];
    expect(new Set(ending('always'))).toEqual(new Set(always));
    expect(new Set(ending('withOrder'))).toEqual(new Set([-3031, -2602, -2502]));
    expect(new Set(paymentFailures.map(errorCode))).toEqual(new Set([...always, -3031, -2602, -2502, -2408]));
  });

  it('lists the errors where another method or plan helps more than a retry', () => {
    const helped = (by: string) => new Set(listed.filter((code) => entryOf(code)?.helps === by));
    expect(helped('anotherMethod')).toEqual(new Set([301, 302, 2003, 2007, 5015, -2502, -2602]));
    expect(helped('anotherPlan')).toEqual(new Set([2008]));
    expect(entryOf(4599)?.helps).toBe('keepingTheAccount');
  });

  it('has an HTTP error status for every code', () => {
    for (const [name, { status }] of Object.entries(errors)) {
      expect(Number.isInteger(status) && status >= 400 && status <= 599, name).toBe(true);
    }
  });

  it('has no status on which a browser repeats the request', () => {
    const statuses: readonly number[] = Object.values(errors).map((entry) => entry.status);
    for (const repeated of [408, 421, 425]) expect(statuses).not.toContain(repeated);
  });

  it('has a unique code for every error', () => {
    const codes: readonly number[] = Object.values(errors).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('looking a code up', () => {
  it('finds codes of the catalogue, negative ones included', () => {
    expect(errorNameOf(-24030)).toBe('tokenError');
    expect(errorCode('tokenError')).toBe(-24030);
  });

  it.each([0, -0, 999, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('finds nothing for %s', (code) => {
    expect(errorNameOf(code)).toBeUndefined();
    expect(entryOf(code)).toBeUndefined();
  });

  it('is not fooled by a property that every object has', () => {
    // a broken response may contain a string where the type says number
    const inherited: unknown = 'constructor';
    expect(errorNameOf(inherited as number)).toBeUndefined();
  });
});
