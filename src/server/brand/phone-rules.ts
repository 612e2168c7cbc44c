import { isSafePattern } from 'redos-detector';
import type { SiteConfig } from '#contract/brand.ts';

type Rules = SiteConfig['validRules'];

const maxPatternLength = 400;
/**
 * Limits of a pattern's backtracking, and of the analysis. The number of steps bounds it, so that the result is the
 * same on a busy machine; the timeout is the last resort.
 */
const limits = { maxScore: 200, maxSteps: 1000, timeout: 2000 };

const judged = new Map<string, boolean>();
const keptVerdicts = 200;

/**
 * The server runs a brand's patterns in linear time (site/account-rules.ts). A browser's engine backtracks and cannot
 * be stopped, so phones receive only patterns whose backtracking a library has proved to be bounded for any input.
 * Without a pattern the phone applies its built-in rule, and the server decides.
 */
export function rulesForBrowsers(rules: Rules): Rules {
  return Object.fromEntries(Object.entries(rules).filter(([, pattern]) => pattern !== undefined && isSafe(pattern)));
}

/** The names of the rules that phones do not receive. */
export function unsafeRules(rules: Rules): string[] {
  const sent = rulesForBrowsers(rules);
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
    // an invalid pattern
    return false;
  }
}
