import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

export interface FormDraft<Values> {
  /** `draft(...)` of the storage room */
  readonly store: { get(): unknown; set(value: unknown): void; remove(): void };
  /** the fields that may be kept; never a secret */
  readonly fields: readonly (keyof Values & string)[];
}

/**
 * Brings back what was typed before: the draft of an earlier visit, and what somebody, or the browser for them, wrote
 * into the page before it was alive. Keeps the draft up to date from then on.
 */
export function useDraft<Values extends Readonly<Record<string, string | boolean>>>(
  form: RefObject<HTMLFormElement | null>,
  values: Values,
  draft: FormDraft<Values> | undefined,
  restore: (found: Partial<Values>) => void,
): void {
  const start = useRef({ values, draft, restore });
  // before anything else can act on the form: a tap that was kept is done right after it ([Note: Early taps])
  useLayoutEffect(() => {
    const { values: initial, draft: kept, restore: give } = start.current;
    const found = { ...fromDraft(initial, kept), ...fromPage(form.current, initial) };
    if (Object.keys(found).length > 0) give(found);
  }, [form]);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const { draft: kept } = start.current;
    if (kept) kept.store.set(Object.fromEntries(kept.fields.map((name) => [name, values[name]])));
  }, [values]);
}

function fromDraft<Values>(initial: Values, draft: FormDraft<Values> | undefined): Partial<Values> {
  const stored = draft?.store.get();
  if (!draft || !(stored instanceof Object)) return {};
  const entries = Object.entries(stored).filter(([name, value]) => {
    const field = draft.fields.find((known) => known === name);
    return field !== undefined && typeof value === typeof initial[field] && !initial[field];
  });
  // the names and types were compared with the form's own above
  return Object.fromEntries(entries) as Partial<Values>;
}

function fromPage<Values extends object>(form: HTMLFormElement | null, initial: Values): Partial<Values> {
  const entries = Object.entries(initial).flatMap(([name, before]): [string, string | boolean][] => {
    const input = form?.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return [];
    const now = input.type === 'checkbox' ? input.checked : input.value;
    return now !== before && now !== '' ? [[name, now]] : [];
  });
  // an input of the page holds what its field holds: text, or whether it is ticked
  return Object.fromEntries(entries) as Partial<Values>;
}
