import type { SiteConfig } from '../../contract/brand.ts';
import type { BoundedMatch } from './bounded-pattern.ts';

type Rules = SiteConfig['validRules'];

const maxInputLength = 160;

/** The built-in rules; each reads its text once. */
const builtIn = {
  email: (text: string) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text),
  phone: (text: string) => /^\+?\d{6,15}$/.test(text),
} as const;

/** What a slow pattern stumbles over: long runs of what addresses and numbers are made of, with a wrong end. */
const probes = ['a', '1', 'a1', 'a.', 'a-', '@', 'a@', '1 ', '.'].map((part) => part.repeat(48).slice(0, 48) + '!');

let engine: typeof import('./bounded-pattern.ts').boundedPattern | undefined;

/**
 * Brings what runs the brand's patterns within bounds. A form shows before it is here, and until then every
 * account passes: the server judges in any case.
 */
export async function loadPatterns(): Promise<void> {
  engine = (await import('./bounded-pattern.ts')).boundedPattern;
}

const judged = new Map<string, BoundedMatch | undefined>();

/** Whether this can be an e-mail address of the brand. Without a rule the built-in one holds (decisions). */
export function isEmail(rules: Rules, value: string): boolean {
  return fits(rules.email, value, builtIn.email);
}

/** Whether this can be a phone number of the brand. Without a rule the built-in one holds (decisions). */
export function isPhone(rules: Rules, value: string): boolean {
  return fits(rules.phone, value, builtIn.phone);
}

function fits(pattern: string | undefined, value: string, fallback: (text: string) => boolean): boolean {
  if (value.length > maxInputLength) return false;
  if (!pattern) return fallback(value);
  if (!engine) return true;
  const answer = matcherOf(pattern, engine)?.(value) ?? 'slow';
  return answer === 'slow' ? fallback(value) : answer;
}

/** Judges a pattern once: a broken or slow one is never asked again. */
function matcherOf(pattern: string, boundedPattern: NonNullable<typeof engine>): BoundedMatch | undefined {
  if (!judged.has(pattern)) {
    const match = boundedPattern(pattern);
    judged.set(pattern, match && probes.some((probe) => match(probe) === 'slow') ? undefined : match);
  }
  return judged.get(pattern);
}
