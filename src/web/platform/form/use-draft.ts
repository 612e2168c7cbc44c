import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

export interface FormDraft<Values> {
  /** made with `draft(...)` of `session/storage` */
  readonly store: { get(): unknown; set(value: unknown): void; remove(): void };
  /** the fields that may be stored; never a secret */
  readonly fields: readonly (keyof Values & string)[];
}

/**
 * Restores earlier input: the draft of a previous visit, and what the customer or the browser's autofill entered before
 * hydration. Updates the draft from then on.
 */
export function useDraft<Values extends Readonly<Record<string, string | boolean>>>(
  form: RefObject<HTMLFormElement | null>,
  values: Values,
  draft: FormDraft<Values> | undefined,
  restore: (found: Partial<Values>) => void,
): void {
  const start = useRef({ values, draft, restore });
  // a layout effect, so that it runs before a tap that was recorded before hydration is replayed
  useLayoutEffect(() => {
    const { values: initial, draft: kept, restore: apply } = start.current;
    const found = { ...fromDraft(initial, kept), ...fromPage(form.current, initial) };
    if (Object.keys(found).length > 0) apply(found);
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
  // as: names and types were compared with the form's own above
  return Object.fromEntries(entries) as Partial<Values>;
}

function fromPage<Values extends object>(form: HTMLFormElement | null, initial: Values): Partial<Values> {
  const entries = Object.entries(initial).flatMap(([name, before]): [string, string | boolean][] => {
    const input = form?.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return [];
    const now = input.type === 'checkbox' ? input.checked : input.value;
    return now !== before && now !== '' ? [[name, now]] : [];
  });
  // as: the value of an input is text or whether it is ticked, like its field
  return Object.fromEntries(entries) as Partial<Values>;
}
