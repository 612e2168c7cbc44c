/** The value of a code field, and whether it was complete since it was last empty. */
export interface Filling {
  readonly code: string;
  readonly wasWhole: boolean;
}

export const emptyFilling: Filling = { code: '', wasWhole: false };

/**
 * Decides whether a code is sent without a tap: only when an empty field is completed by typing, pasting or autofill. A
 * corrected code waits for a tap, because each try counts.
 */
export function fillCode(
  before: Filling,
  code: string,
  digits: number,
): { readonly now: Filling; readonly send: boolean } {
  const isFresh = code === '' || isReplaced(before, code);
  const wasWhole = !isFresh && before.wasWhole;
  const isWhole = code.length === digits;
  return { now: { code, wasWhole: wasWhole || isWhole }, send: isWhole && !wasWhole && code !== before.code };
}

/** A complete code was selected and replaced by typing or pasting. */
function isReplaced({ code: before, wasWhole }: Filling, code: string): boolean {
  if (!wasWhole) return false;
  if (code.length === 1) return before.length > 1 && !before.startsWith(code);
  return code.length === before.length && code.split('').filter((digit, at) => digit !== before[at]).length > 1;
}
