import { isSafePattern } from 'redos-detector';
import type { SiteConfig } from '#contract/brand.ts';

type Rules = SiteConfig['validRules'];

const maxPatternLength = 400;
/**
 * Steps back that a pattern may take at most, and how much work it may be to find that out. The steps bound it, so that the
 * verdict is the same on a busy machine; the time is the last resort.
 */
const limits = { maxScore: 200, maxSteps: 1000, timeout: 2000 };

const judged = new Map<string, boolean>();
const keptVerdicts = 200;

/**
 * [Note: Safe patterns] The server runs a brand's patterns in linear time (auth/account-rules.ts). The engine of a
 * browser steps back and cannot be stopped, so a phone is sent only what a library has proved to step back a bounded
 * number of times, whatever is typed. Without a pattern the phone goes by its built-in rule, and the server judges.
 */
export function rulesForPhones(rules: Rules): Rules {
  return Object.fromEntries(Object.entries(rules).filter(([, pattern]) => pattern !== undefined && isSafe(pattern)));
}

/** The names of the rules that phones are not sent. */
export function unsafeRules(rules: Rules): string[] {
  const sent = rulesForPhones(rules);
  return Object.keys(rules).filter((name) => !Object.hasOwn(sent, name));
}

function isSafe(pattern: string): boolean {
  const known = judged.get(pattern);
  if (known !== undefined) return known;
  const verdict = pattern.length <= maxPatternLength && isProved(pattern);
  if (judged.size >= keptVerdicts) judged.clear();
  judged.set(pattern, verdict);
  return verdict;
}

function isProved(pattern: string): boolean {
  try {
    return isSafePattern(pattern, limits).safe;
  } catch {
    // no pattern at all
    return false;
  }
}
