import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { getCountries, getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import mobileExamples from 'libphonenumber-js/mobile/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { brands } from '#server/db/schema/brands.ts';
import { users } from '#server/db/schema/users.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { assertReachable, identityOf, areaCodesIn } from '#server/site/account-rules.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { siteConfigOf } from '#server/site/handlers.ts';
import { newAccountProblems } from '#web/domain/auth/new-account-rules.ts';
import { isPhone } from '#web/platform/form/account-rules.ts';
import { isPossibleNumber } from '#web/domain/account/possible-number.ts';
import { checkNumbers } from '#server/operator/doctor/check-numbers.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const password = 'secret-123';
const logIn = async (account: string, areaCode = '254') =>
  shop.request(endpoints.login, { body: { account, type: 'phone', areaCode, password } });
/** Stores an account whose number has exactly this spelling. */
async function storeAccount(account: string, areaCode: string): Promise<string> {
  const { uid } = await aMember(shop, { type: 'phone' });
  await shop.db.update(users).set({ account, phone: account, areaCode }).where(eq(users.uid, uid));
  return uid;
}

describe('a phone number', () => {
  it('opens one account in every spelling', async () => {
    const uid = await storeAccount('254712345601', '254');
    for (const typed of [
      '0712345601',
      '712345601',
      '254712345601',
      '00254712345601',
      '+254712345601',
      '+2540712345601',
    ])
      expect((await logIn(typed)).data?.uid, typed).toBe(uid);
    // the country of an international number overrides the selected one
    expect((await logIn('+254 712 345 601', '55')).data?.uid).toBe(uid);
  });

  it('that an earlier version stored in another spelling opens its account in every spelling', async () => {
    const kenyan = await storeAccount('2540712345602', '254');
    const russian = await storeAccount('789161234602', '7');
    for (const typed of ['0712345602', '712345602', '+254712345602'])
      expect((await logIn(typed)).data?.uid).toBe(kenyan);
    for (const typed of ['89161234602', '9161234602', '+79161234602'])
      expect((await logIn(typed, '7')).data?.uid, typed).toBe(russian);
  });

  it('of two stored accounts opens each by the spelling of its owner', async () => {
    const [old, canonical] = [await storeAccount('2540712345603', '254'), await storeAccount('254712345603', '254')];
    expect((await logIn('0712345603')).data?.uid).toBe(old);
    expect((await logIn('712345603')).data?.uid).toBe(canonical);
    expect((await logIn('+254712345603')).data?.uid).toBe(canonical);
  });

  it('that is invalid in its country cannot sign up and receives no code', async () => {
    const language = 'en' as const;
    for (const account of ['0712 345', '71234567', '0712345678901']) {
      const body = { account, type: 'phone' as const, areaCode: '254', language, scene: 'signup' as const };
      expect((await shop.request(endpoints.sendVerificationCode, { body })).errCode, account).toBe(32);
    }
  });
});

describe('a new account', () => {
  const example = (country: CountryCode) => getExampleNumber(country, mobileExamples);
  const ofCountries = getCountries().flatMap((country) => example(country) ?? []);
  const mobiles = ofCountries.map((number) => [number.countryCallingCode, number.nationalNumber] as const);
  const shortest = [
    ['354', '5812345'],
    ['960', '7712345'],
    ['683', '4002'],
    ['290', '24123'],
  ] as const;

  it.each(['lumen', 'mego', 'baobab'])('may have a number of any country at %s', (code) => {
    const brand = shop.deps.catalog.byCode(code);
    if (!brand) throw new Error('no brand');
    const { validRules } = siteConfigOf(brand);
    const refused = [...mobiles, ...shortest].filter(([areaCode, phone]) => {
      const problems = newAccountProblems('phone', { account: '', phone, areaCode }, validRules);
      return Object.keys(problems).length > 0 || !isAccepted(brand, { account: phone, areaCode });
    });
    expect(refused).toEqual([]);
  });

  function isAccepted(brand: Brand, typed: { account: string; areaCode: string }): boolean {
    try {
      assertReachable(throwRefusal, identityOf(throwRefusal, brand, { ...typed, type: 'phone' }));
      return true;
    } catch {
      return false;
    }
  }
});

it('a brand with a phone rule of an earlier version accepts short numbers', async () => {
  const own = await testApp();
  const config = { ...demoBrand('lumen').brand.config, validRules: { phone: String.raw`^\d{7,15}$` } };
  await own.db.update(brands).set({ config }).where(eq(brands.code, 'lumen'));
  await own.deps.catalog.refresh();
  const { validRules } = (await own.request(endpoints.siteConfig, {})).data;
  expect(isPhone(validRules, '4002')).toBe(true);
  await own.close();
});

describe('the check of a number before it is sent', () => {
  const list = areaCodesIn('en');
  const examples = getCountries().flatMap((country) => {
    const example = getExampleNumber(country, mobileExamples);
    return example ? [{ country, code: example.countryCallingCode, national: example.nationalNumber }] : [];
  });

  it('refuses no number that the server accepts', () => {
    const prefix = fc.constantFrom('', '0', '00', '000', '8', '1', '06', '9', '15', '01', '044', '041', '1809');
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        prefix,
        fc.boolean(),
        fc.nat(3),
        ({ code, national }, before, twice, cut) => {
          const phone = `${twice ? code : ''}${before}${national.slice(0, national.length - cut)}`;
          fc.pre(canonicalNumber(phone, code)?.isValid === true && canonicalNumber(phone, code)?.areaCode === code);
          expect(isPossibleNumber({ areaCode: code, phone }, list), `+${code} ${phone}`).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each(examples)('accepts a number of $country with its code and zeros in any order', ({ code, national }) => {
    const again = [`${code}${code}${national}`, `${code}00${code}${national}`, `0${code}0${national}`];
    const typed = [`0${code}${national}`, `0${national}`, `${code}0${national}`, ...again];
    expect(typed.filter((phone) => !isPossibleNumber({ areaCode: code, phone }, list))).toEqual([]);
  });

  it.each([
    ['61', '0011 44 7911 123456'],
    ['1', '011 44 7911 123456'],
    ['234', '009 44 7911 123456'],
    ['7', '8~10 44 7911 123456'],
    ['81', '010 44 7911 123456'],
  ])('accepts a foreign number after the international prefix of +%s: %s', (areaCode, phone) => {
    expect(isPossibleNumber({ areaCode, phone }, list)).toBe(true);
  });

  it('refuses a number that is too short or too long for every country of its code', () => {
    const passed = examples.filter(({ code, national }) =>
      [national.slice(0, 3), `${national}12345678`].some((phone) => isPossibleNumber({ areaCode: code, phone }, list)),
    );
    expect(passed).toEqual([]);
    const kenyan = ['0712 345', '71234567', '0712345678901'];
    expect(kenyan.filter((phone) => isPossibleNumber({ areaCode: '254', phone }, list))).toEqual([]);
  });
});

it('the doctor lists the accounts that share a number, with masked numbers and advice', async () => {
  const uids = [await storeAccount('2540712345605', '254'), await storeAccount('254712345605', '254')];
  const russian = [await storeAccount('789161234605', '7'), await storeAccount('79161234605', '7')];
  await storeAccount('254712345606', '254');
  const findings = (await checkNumbers(shop.db)).map(({ state, says }) => `${state} ${says}`);
  const of = (own: string[]) => findings.filter((line) => own.every((uid) => line.includes(uid)));
  expect(of(uids)).toEqual([expect.stringMatching(/^note \w+: 25•+05 is of 2 accounts: \S+, \S+$/)]);
  expect(of(russian)).toEqual([expect.stringMatching(/^note \w+: 79•+05 is of 2 accounts/)]);
  expect(findings.at(-1)).toMatch(/numbers of several accounts: both can log in.*customers delete/);
  // account ids may contain as many digits
  const withoutIds = findings.join().replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
  expect(withoutIds).not.toMatch(/\d{9}|06 is of/);
  const empty = await testApp();
  expect(await checkNumbers(empty.db)).toEqual([
    { state: 'ok', what: 'phone numbers', says: 'each belongs to one account' },
  ]);
  await empty.close();
});

it('the doctor reads a sample of the accounts, and finds the second account of a number by index', async () => {
  const other = await testApp();
  const uids = [await aMember(other, { type: 'phone' }), await aMember(other, { type: 'phone' })].map(({ uid }) => uid);
  const [first = '', second = ''] = uids.sort();
  const store = (uid: string, account: string) =>
    other.db.update(users).set({ account, phone: account, areaCode: '254' }).where(eq(users.uid, uid));
  await store(first, '2540712345608');
  await store(second, '254712345608');
  expect((await checkNumbers(other.db, 1))[0]?.says).toContain(`is of 2 accounts: ${first}, ${second}`);
  await store(first, '254712345609');
  expect(await checkNumbers(other.db, 1)).toEqual([
    { state: 'ok', what: 'phone numbers', says: 'each belongs to one account, by a sample of 1 accounts' },
  ]);
  await other.close();
});

it('a number that an earlier version stored in another spelling cannot sign up again', async () => {
  await storeAccount('2540712345604', '254');
  expect(await aMember(shop, { type: 'phone', account: '254712345604' }).catch(() => 'taken')).toBe('taken');
});
