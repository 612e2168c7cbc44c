import type { SiteConfig } from '#contract/brand.ts';
import { isEmailAddress, normalizeEmail } from '#contract/email-address.ts';

type Rules = SiteConfig['validRules'];

const maxInputLength = 160;

/** The built-in rules. */
const builtIn = {
  // for existing accounts; a new one must fit `isEmailAddress`
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  phone: /^\+?\d{6,15}$/,
} as const;

const compiled = new Map<string, RegExp | undefined>();

/** Whether the address is deliverable and fits the brand's rule, if it has one. */
export function isEmail(rules: Rules, value: string): boolean {
  return isEmailAddress(normalizeEmail(value)) && isKnownEmail(rules, value);
}

/** Whether an existing account may have this address: earlier checks were weaker. */
export function isKnownEmail(rules: Rules, value: string): boolean {
  return fits(rules.email, normalizeEmail(value), builtIn.email);
}

/** Whether the brand accepts this phone number; the built-in rule applies where it has none. */
export function isPhone(rules: Rules, value: string): boolean {
  return fits(rules.phone, value, builtIn.phone);
}

/** The server sends only patterns that match a text of this length in little time (no catastrophic backtracking). */
function fits(pattern: string | undefined, value: string, fallback: RegExp): boolean {
  const rule = (pattern ? compiledOnce(pattern) : undefined) ?? fallback;
  return value.length <= maxInputLength && rule.test(value);
}

/** Compiles a pattern of the server; undefined where this browser cannot compile it. */
export function compiledOnce(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    // this browser does not support the pattern's syntax
    return undefined;
  }
}
