import * as v from 'valibot';

/** More lists inside of each other than any result has. */
const deepest = 4;

/**
 * A result without the list entries that do not fit the contract, so that one broken plan does not hide the others.
 * Undefined if anything else does not fit, or if nothing of a list is left. `payload` is JSON.
 */
export function readablePart<S extends v.GenericSchema>(schema: S, payload: unknown): v.InferOutput<S> | undefined {
  const copy: unknown = JSON.parse(JSON.stringify(payload ?? null));
  for (let round = 0; round < deepest; round += 1) {
    const parsed = v.safeParse(schema, copy);
    if (parsed.success) return parsed.output;
    if (!removeEntries(parsed.issues)) return undefined;
  }
  return undefined;
}

/** Removes the innermost entry of each issue from its list. */
function removeEntries(issues: readonly v.BaseIssue<unknown>[]): boolean {
  const broken = new Map<unknown[], Set<unknown>>();
  for (const { path = [] } of issues) {
    const step = path.filter(({ type }) => type === 'array').pop();
    if (!step || !Array.isArray(step.input)) return false;
    broken.set(step.input, (broken.get(step.input) ?? new Set()).add(step.input[Number(step.key)]));
  }
  for (const [list, entries] of broken) {
    const rest = list.filter((entry) => !entries.has(entry));
    if (rest.length === 0) return false;
    list.splice(0, list.length, ...rest);
  }
  return true;
}
