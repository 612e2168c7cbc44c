import { RE2JS } from 're2js';
import { isEmailAddress, typedEmail } from '../../contract/email-address.ts';
import type { AccountType } from '../../contract/user.ts';
import { refuse } from '../request/api-error.ts';
import type { Brand } from '../brand/catalog.ts';
import { isServed } from './area-codes.ts';

/** What holds where a brand has no rule of its own, or one that cannot be read. Of addresses, `isEmailAddress` holds too. */
const builtIn = {
  email: RE2JS.compile('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'),
  phone: RE2JS.compile('^\\d{6,15}$'),
};
const refusals = { email: 8, phone: 32 } as const;

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
 * Refuses a number that a new account could not be reached by: with 4000 where neither the customer nor the brand says of
 * which country it is, with 5003 where it is of one that is not served. Old accounts keep the numbers they have.
 */
export function assertReachable({ type, areaCode }: Identity): void {
  if (type === 'email') return;
  if (areaCode === null) refuse(4000, { field: 'areaCode' });
  if (!isServed(areaCode)) refuse(5003, { field: 'areaCode' });
}

export interface Identity {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode: string | null;
  /** another spelling of the address, by which an account may be stored from before domains were stored in ASCII */
  readonly formerly?: string;
}

/**
 * The account as it is stored: a lower-cased address, or a number with its area code, digits only, so that the same
 * number in two countries is two accounts. Refuses with 8 or 32 what the brand's rule does not take; `known`: but not an
 * address that no new account could have, because a customer may have signed up with one.
 */
export function identityOf(
  brand: Brand,
  typed: { account: string; type: AccountType; areaCode?: string | undefined },
  known = false,
): Identity {
  const { type } = typed;
  const plain = type === 'email' ? typedEmail(typed.account) : typed.account.replaceAll(/[+()./-]/g, '');
  if (!(known ? fitsRule : looksRight)(brand, type, plain)) refuse(refusals[type]);
  if (type === 'email') {
    const formerly = typed.account.toLowerCase();
    return { account: plain, type, areaCode: null, ...(formerly !== plain && { formerly }) };
  }
  const areaCode = (typed.areaCode ?? brand.config.login.areaCode ?? '').replaceAll(/\D/g, '');
  return { account: `${areaCode}${plain}`, type, areaCode: areaCode || null };
}
