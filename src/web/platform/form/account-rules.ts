import type { SiteConfig } from '#contract/brand.ts';
import { isEmailAddress, typedEmail } from '#contract/email-address.ts';

type Rules = SiteConfig['validRules'];

const maxInputLength = 160;

/** The built-in rules; each reads its text once. */
const builtIn = {
  // what an older account may be; a new one is held to `isEmailAddress`
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  phone: /^\+?\d{6,15}$/,
} as const;

const compiled = new Map<string, RegExp | undefined>();

/** Whether mail can be sent to it, and the rule of the brand takes it where it has one. */
export function isEmail(rules: Rules, value: string): boolean {
  return isEmailAddress(typedEmail(value)) && isKnownEmail(rules, value);
}

/** Whether a customer may have signed up with it before, when less was checked. */
export function isKnownEmail(rules: Rules, value: string): boolean {
  return fits(rules.email, typedEmail(value), builtIn.email);
}

/** Whether this can be a phone number of the brand. Without a rule the built-in one holds. */
export function isPhone(rules: Rules, value: string): boolean {
  return fits(rules.phone, value, builtIn.phone);
}

/** The server sends only patterns that take no time on a text of this length ([Note: Safe patterns]). */
function fits(pattern: string | undefined, value: string, fallback: RegExp): boolean {
  const rule = (pattern ? compiledOnce(pattern) : undefined) ?? fallback;
  return value.length <= maxInputLength && rule.test(value);
}

/** A pattern of the server; undefined where this browser cannot read it. */
export function compiledOnce(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    // this browser does not know what the pattern is made of
    return undefined;
  }
}
