import { RE2JS } from 're2js';
import { isEmailAddress, typedEmail } from '#contract/email-address.ts';
import type { AccountType } from '#contract/user.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { isServed } from './area-codes.ts';

/** What holds where a brand has no rule of its own, or one that cannot be read. Of addresses, `isEmailAddress` holds too. */
const builtIn = {
  email: RE2JS.compile('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'),
  phone: RE2JS.compile('^\\d{6,15}$'),
};

const compiled = new Map<string, RE2JS | null>();
const keptRules = 200;

/** Rules are operators' text: they run in linear time, whatever they say. Null for one that is broken. */
function ruleFrom(pattern: string): RE2JS | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  if (compiled.size >= keptRules) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // broken or beyond linear time: the built-in rule takes its place
    return null;
  }
}

/**
 * Whether the account looks right to this brand. The wire lets everything pass where a brand has no rule;
 * here the built-in one holds, because a mail to `<script>` reaches nobody.
 */
export function looksRight(brand: Brand, type: AccountType, account: string): boolean {
  return (type === 'phone' || isEmailAddress(account)) && fitsRule(brand, type, account);
}

function fitsRule(brand: Brand, type: AccountType, account: string): boolean {
  const pattern = brand.config.validRules[type];
  const rule = pattern === undefined ? null : ruleFrom(pattern);
  return (rule ?? builtIn[type]).matcher(account).find();
}

/**
 * Refuses a number that a new account could not be reached by: with `areaCodeEmpty` where neither the customer nor the brand
 * says of which country it is, with `countryUnsupported` where it is of one that is not served, with `phoneFormat` where
 * that country has no such number. Old accounts keep the numbers they have.
 */
export function assertReachable(
  refuse: Refuse<'areaCodeEmpty' | 'countryUnsupported' | 'phoneFormat'>,
  { account, type, areaCode }: Identity,
): void {
  if (type === 'email') return;
  if (areaCode === null) refuse('areaCodeEmpty', { field: 'areaCode' });
  if (!isServed(areaCode)) refuse('countryUnsupported', { field: 'areaCode' });
  assertExists(refuse, { account, type });
}

/** Refuses with 32 a number of which its country has none, by its length or its beginning. */
export function assertExists(
  refuse: Refuse<'phoneFormat'>,
  { account, type }: Pick<Identity, 'account' | 'type'>,
): void {
  if (type === 'phone' && canonicalNumber(`+${account}`)?.isValid !== true) refuse('phoneFormat');
}

export interface Identity {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode: string | null;
  /** another spelling of the address, by which an account may be stored from before domains were stored in ASCII */
  readonly formerly?: string;
  /** of a number: how it was stored before numbers had one spelling, when it was typed as it is now */
  readonly typedAs?: string;
}

/**
 * The account as it is stored: a lower-cased address, or a number as E.164 has it, digits only, so that a telephone is one
 * account however it is typed. What is no number of its country stays as it was typed: an old account may be stored so.
 * Refuses with `emailFormat` or `phoneFormat` what the brand's rule does not take.
 */
export function identityOf(
  refuse: Refuse<'emailFormat' | 'phoneFormat'>,
  brand: Brand,
  typed: { account: string; type: AccountType; areaCode?: string | undefined },
  known = false,
): Identity {
  return typed.type === 'email' ? addressOf(refuse, brand, typed.account, known) : numberOf(refuse, brand, typed);
}

/** As `identityOf`, of an email address. */
export function addressOf(refuse: Refuse<'emailFormat'>, brand: Brand, typed: string, known = false): Identity {
  const account = typedEmail(typed);
  if (!(known ? fitsRule : looksRight)(brand, 'email', account)) refuse('emailFormat');
  const formerly = typed.toLowerCase();
  return { account, type: 'email', areaCode: null, ...(formerly !== account && { formerly }) };
}

function numberOf(
  refuse: Refuse<'phoneFormat'>,
  brand: Brand,
  typed: { account: string; areaCode?: string | undefined },
): Identity {
  const plain = typed.account.replaceAll(/[+()./-]/g, '');
  const areaCode = (typed.areaCode ?? brand.config.login.areaCode ?? '').replaceAll(/\D/g, '');
  const hasCountry = areaCode !== '' || /^(\+|00)/.test(typed.account);
  const number = hasCountry ? canonicalNumber(typed.account, areaCode) : undefined;
  const fits = [plain, number?.national].some((one) => one !== undefined && looksRight(brand, 'phone', one));
  // a brand's rule may allow the short numbers of a small country, but the built-in rule holds for digits that are no number of
  // a known country
  if (!fits || !(number || builtIn.phone.matcher(plain).find())) refuse('phoneFormat');
  const typedAs = `${areaCode}${plain}`;
  if (!number) return { account: typedAs, type: 'phone', areaCode: areaCode || null };
  return { account: number.digits, type: 'phone', areaCode: number.areaCode, typedAs };
}
