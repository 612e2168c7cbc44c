import { RE2JS } from 're2js';
import { isEmailAddress, normalizeEmail } from '#contract/email-address.ts';
import type { AccountType } from '#contract/user.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { canonicalNumber, callingCodes } from '#server/runtime/phone-number.ts';
import { Metadata, type CountryCode } from 'libphonenumber-js/max';
import { languageTable, type Language } from '#contract/fields.ts';

/**
 * The rules for brands without a rule of their own or with an invalid one. Email addresses must also fit
 * `isEmailAddress`.
 */
const builtIn = {
  email: RE2JS.compile('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'),
  phone: RE2JS.compile('^\\d{6,15}$'),
};

const compiled = new Map<string, RE2JS | null>();
const keptRules = 200;

/** Compiles a rule. Rules are text of operators: RE2 runs them in linear time. Null for an invalid one. */
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
    // invalid, or not executable in linear time: the built-in rule applies
    return null;
  }
}

/**
 * Whether the account fits the brand's rule. Pages accept everything if a brand has no rule; here the built-in one
 * applies, because an email to `<script>` reaches no customer.
 */
export function isValidAccount(brand: Brand, type: AccountType, account: string): boolean {
  return (type === 'phone' || isEmailAddress(account)) && fitsRule(brand, type, account);
}

function fitsRule(brand: Brand, type: AccountType, account: string): boolean {
  const pattern = brand.config.validRules[type];
  const rule = pattern === undefined ? null : ruleFrom(pattern);
  return (rule ?? builtIn[type]).matcher(account).find();
}

/**
 * Refuses a phone number at which a new account could not be reached: with `areaCodeEmpty` if neither the customer nor
 * the brand names a country, with `countryUnsupported` for a country that is not served, with `phoneFormat` for a
 * number that does not exist in its country. Existing accounts retain their numbers.
 */
export function assertReachable(
  refuse: Refuse<'areaCodeEmpty' | 'countryUnsupported' | 'phoneFormat'>,
  { account, type, areaCode }: Identity,
): void {
  if (type === 'email') return;
  if (areaCode === null) refuse('areaCodeEmpty', { field: 'areaCode' });
  if (!isSupportedAreaCode(areaCode)) refuse('countryUnsupported', { field: 'areaCode' });
  assertExists(refuse, { account, type });
}

/** Refuses with `phoneFormat` a number that does not exist in its country, by its length or prefix. */
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
  /** another spelling of the address, for accounts stored before domains were converted to ASCII */
  readonly formerly?: string;
  /** the stored form of a phone number before numbers were canonicalized, if it was typed as now */
  readonly typedAs?: string;
}

/**
 * The account as it is stored: a lower-case address, or a number in E.164 digits, so that a phone is one account
 * however it is typed. A number that does not exist in its country is stored as typed, as some existing accounts are.
 * Refuses with `emailFormat` or `phoneFormat` what the brand's rule does not accept.
 */
export function identityOf(
  refuse: Refuse<'emailFormat' | 'phoneFormat'>,
  brand: Brand,
  typed: { account: string; type: AccountType; areaCode?: string | undefined },
  known = false,
): Identity {
  return typed.type === 'email' ? addressOf(refuse, brand, typed.account, known) : numberOf(refuse, brand, typed);
}

/** As `identityOf`, for an email address. */
export function addressOf(refuse: Refuse<'emailFormat'>, brand: Brand, typed: string, known = false): Identity {
  const account = normalizeEmail(typed);
  if (!(known ? fitsRule : isValidAccount)(brand, 'email', account)) refuse('emailFormat');
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
  const fits = [plain, number?.national].some((one) => one !== undefined && isValidAccount(brand, 'phone', one));
  // a brand's rule may allow short numbers of a small country, but the built-in rule applies to digits that are not a
  // number of a known country
  if (!fits || !(number || builtIn.phone.matcher(plain).find())) refuse('phoneFormat');
  const typedAs = `${areaCode}${plain}`;
  if (!number) return { account: typedAs, type: 'phone', areaCode: areaCode || null };
  return { account: number.digits, type: 'phone', areaCode: number.areaCode, typedAs };
}

const served: ReadonlySet<string> = new Set(callingCodes.map(([, areaCode]) => areaCode));

/** Whether it is the calling code of a country, or an area code within +1; digits only, without a plus. */
export function isSupportedAreaCode(areaCode: string): boolean {
  return served.has(areaCode) || /^1\d{3}$/.test(areaCode);
}

interface ListedCountry {
  readonly country: string;
  readonly name: string;
  readonly areaCode: string;
  readonly pattern: string;
}

/** The methods of a numbering plan that the library's types omit. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefix(): string | number | undefined;
  nationalPrefixForParsing(): string | number | undefined;
  IDDPrefix(): string;
}

const metadata = new Metadata();

/**
 * Brazil dials a carrier code before a number, and Mexico and Argentina had digits between area code and number (see
 * `canonicalNumber`).
 */
const dialledBefore: Readonly<Record<string, string>> = { BR: '(?:0|90)(?:\\d\\d)?', MX: '0?1|04[45]' };

/**
 * The pattern of a national number as typed, with the prefixes that are dialled within the country. Pages check a new
 * number with it before sending; `canonicalNumber` decides, and accepts nothing that the pattern excludes.
 */
function patternOf(country: string, areaCode: string): string {
  if (country === 'AR') return '\\d{10,15}';
  // as: the country comes from the library's own list
  metadata.selectNumberingPlan(country as CountryCode);
  // as: the types of the package omit the numbering plan
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const parsed = String(plan.nationalPrefixForParsing() ?? '');
  const prefix = String(plan.nationalPrefix() ?? '');
  // a group is a carrier code, or a local number without its area code, which within +1 could be of any country
  const hasGroups = /\((?!\?)/.test(parsed) && areaCode !== '1' && !(country in dialledBefore);
  const isLocal = hasGroups && parsed.includes('\\d{');
  const before = dialledBefore[country] ?? (isLocal || areaCode === '1' ? prefix : `${prefix}|${parsed}`);
  const abroad = plan.IDDPrefix();
  // the browser already reads two zeros as a plus, and one may be dialled before a national number
  const alternatives = [...(isLocal ? [parsed] : []), ...(/^0{1,2}$/.test(abroad) ? [] : [`(?:${abroad})\\d{7,15}`])];
  return [`(?:${before})?(?:${plan.nationalNumberPattern()})`, ...alternatives].join('|');
}

/** All countries with a calling code, named and sorted in the requested language. */
export function areaCodesIn(language: Language): ListedCountry[] {
  const names = new Intl.DisplayNames(languageTable[language].locale, { type: 'region' });
  const { compare } = new Intl.Collator(languageTable[language].locale);
  return callingCodes
    .map(([country, areaCode]) => ({
      country,
      name: names.of(country) ?? country,
      areaCode,
      pattern: patternOf(country, areaCode),
    }))
    .sort((a, b) => compare(a.name, b.name));
}
