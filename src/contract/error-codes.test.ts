import { describe, expect, it } from 'vitest';
import {
  declineCodes,
  errorCodes,
  errorEntry,
  isErrorCode,
  type ErrorCode,
  type ErrorField,
  type ErrorPolicy,
} from './error-codes.ts';

const codesByPolicy: Readonly<Record<ErrorPolicy, readonly ErrorCode[]>> = {
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
    ...([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 28, 29, 32] as const),
    ...([105, 112, 187, 197, 4596, 7004] as const),
    // cards
    1014,
    // orders and payment
    ...([1000, 1001, 1003, 1015, 1020, 1021, 1022, 1030, 1040, 1300] as const),
    ...([2000, 2001, 2005, 2006, 2008] as const),
    ...([-2511, -2502, -2400, -2499, -2602, -2408] as const),
    // renewal
    ...([6201, 6202, 6204, 6206, 6207] as const),
    // codes and others
    ...([4000, 4597, 4598, 6699, 9000, 9001, 9002, 9003, 9991] as const),
    ...([10024, 10025, 10026, 10027, 10028, 10029, 10302, 10303] as const),
    // tokens and login
    ...([-24031, -24040, -24050, -2223] as const),
    ...([-3031, -3032, -3033, -3034, -3035, -3036, -3039] as const),
  ],
};

const codesByField: Readonly<Record<ErrorField, readonly ErrorCode[]>> = {
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

const listed = Object.values(codesByPolicy).flat();

describe('the error catalogue', () => {
  it('holds every code that was agreed on, 103 with words and 2007, 6000 and 6001', () => {
    expect(Object.keys(errorCodes).map(Number)).toEqual(expect.arrayContaining(listed));
    expect(new Set(listed).size).toBe(103 + 3);
  });

  it.each(Object.entries(codesByPolicy))('handles the right codes by %s', (policy, codes) => {
    for (const code of codes) expect(errorEntry(code), String(code)).toMatchObject({ policy });
  });

  it.each(Object.entries(codesByField))('shows exactly the right codes at %s', (field, codes) => {
    const shownThere = listed.filter((code) => errorEntry(code)?.field === field);
    expect(new Set(shownThere)).toEqual(new Set(codes));
  });

  it('leaves the refusals that no single field can mend to the summary of the form', () => {
    for (const code of [301, 302, 306, 312, 5015]) {
      expect(errorEntry(code), String(code)).not.toHaveProperty('field');
    }
  });

  it('says which refusals end a try to pay without money, with an order or always', () => {
    const ending = (how: string) => listed.filter((code) => errorEntry(code)?.declines === how);
    const always = [301, 302, 306, 309, 312, 314, 315, 1014, 2003, 2007, 5015, -2400];
    expect(new Set(ending('always'))).toEqual(new Set(always));
    expect(new Set(ending('withOrder'))).toEqual(new Set([-3031, -2602, -2502]));
    expect(new Set(declineCodes)).toEqual(new Set([...always, -3031, -2602, -2502]));
  });

  it('says where another method or another plan helps rather than the same once more', () => {
    const helped = (by: string) => new Set(listed.filter((code) => errorEntry(code)?.helps === by));
    expect(helped('anotherMethod')).toEqual(new Set([301, 302, 2003, 2007, 5015, -2502, -2602]));
    expect(helped('anotherPlan')).toEqual(new Set([2008]));
    expect(errorEntry(4599)?.helps).toBe('keepingTheAccount');
  });

  it('sends every code with the HTTP status of an error', () => {
    for (const [code, { status }] of Object.entries(errorCodes)) {
      expect(Number.isInteger(status) && status >= 400 && status <= 599, code).toBe(true);
    }
  });

  it('sends no status on which a browser repeats the request by itself', () => {
    const statuses: readonly number[] = Object.values(errorCodes).map((entry) => entry.status);
    for (const repeated of [408, 421, 425]) expect(statuses).not.toContain(repeated);
  });

  it('gives every code its own name', () => {
    const names: readonly string[] = Object.values(errorCodes).map((entry) => entry.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('looking a code up', () => {
  it('finds what is in the catalogue, negative codes too', () => {
    expect(errorEntry(-24030)?.name).toBe('tokenError');
    expect(isErrorCode(-24030)).toBe(true);
  });

  it.each([0, -0, 999, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('finds nothing for %s', (code) => {
    expect(errorEntry(code)).toBeUndefined();
    expect(isErrorCode(code)).toBe(false);
  });

  it('is not fooled by a property that every object has', () => {
    // A broken response may carry a string where the type says number.
    const inherited: unknown = 'constructor';
    expect(isErrorCode(inherited as number)).toBe(false);
    expect(errorEntry(inherited as number)).toBeUndefined();
  });
});
