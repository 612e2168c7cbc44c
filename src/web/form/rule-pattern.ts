/**
 * [Note: Guarded rules] The patterns of `validRules` come from a server and run on what people type. A pattern that
 * does not compile, or that needs more than a moment for texts made to hurt it, is not used; the built-in rule is.
 */
const longestInput = 160;
const patienceMs = 8;

/** Steps are small, so that even a pattern that doubles its work with each letter is stopped early. */
const lengths = [12, 14, 16, 18, 20, 22, 24, 32, 64, longestInput];
const hurtful = ['a', '1', 'a.', 'a@', 'a-', 'a@a.'];

function isQuick(pattern: RegExp, now: () => number): boolean {
  return lengths.every((length) =>
    hurtful.every((piece) => {
      const text = `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}\n!`;
      const start = now();
      pattern.test(text);
      return now() - start < patienceMs;
    }),
  );
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    // a broken rule of the server's is the case this function is for
    return undefined;
  }
}

const known = new Map<string, RegExp | undefined>();

/** The rule as a pattern that is safe to run, or undefined. `now` is a clock in milliseconds. */
export function usablePattern(source: string, now: () => number = () => performance.now()): RegExp | undefined {
  if (known.has(source)) return known.get(source);
  const compiled = compile(source);
  const usable = compiled && isQuick(compiled, now) ? compiled : undefined;
  known.set(source, usable);
  return usable;
}

const builtInEmail = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

/** Whether an address passes the brand's rule; where the brand has none, all pass (spec 5). */
export function isEmail(text: string, rule: string | undefined): boolean {
  if (rule === undefined || rule === '') return true;
  return text.length <= longestInput && (usablePattern(rule) ?? builtInEmail).test(text);
}
