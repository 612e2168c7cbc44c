import type { Words } from './words.ts';

export type FormValues = Readonly<Record<string, string | boolean>>;
export type NameOf<Values> = keyof Values & string;
export type Problems<Values> = Readonly<Partial<Record<NameOf<Values>, Words | undefined>>>;

/** What the server, or the way to it, had against a form: at its fields, or above it. */
export interface Refusal<Values> {
  readonly fields?: Problems<Values> | undefined;
  readonly summary?: Words | undefined;
}

export interface FormState<Values> {
  readonly values: Values;
  /** the fields that somebody has left after typing */
  readonly left: readonly NameOf<Values>[];
  readonly refusal: Refusal<Values>;
  readonly busy: boolean;
  /** how often it was refused; each time the first wrong field gets the focus */
  readonly refusals: number;
  readonly tried: boolean;
}

export function freshForm<Values extends FormValues>(values: Values): FormState<Values> {
  return { values, left: [], refusal: {}, busy: false, refusals: 0, tried: false };
}

/** A changed field is no longer the one that was refused; neither is the form as a whole. */
export function withValue<Values extends FormValues, Name extends NameOf<Values>>(
  state: FormState<Values>,
  name: Name,
  value: Values[Name],
): FormState<Values> {
  // the computed name is one of the form's, which a spread cannot tell the compiler
  const fields = { ...state.refusal.fields, [name]: undefined } as Problems<Values>;
  return { ...state, values: { ...state.values, [name]: value }, refusal: { fields } };
}

export function withFieldLeft<Values>(state: FormState<Values>, name: NameOf<Values>): FormState<Values> {
  return state.left.includes(name) ? state : { ...state, left: [...state.left, name] };
}

export function refused<Values>(state: FormState<Values>, refusal: Refusal<Values>): FormState<Values> {
  return { ...state, refusal, busy: false, tried: true, refusals: state.refusals + 1 };
}

/** As typed, and as if nobody had looked at it. */
export function unjudged<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, left: [], refusal: {}, tried: false };
}

/** Judged when it was left, and from the first try on with every letter; a refusal stands until its field changes. */
export function problemOf<Values>(
  state: FormState<Values>,
  name: NameOf<Values>,
  check: (values: Values) => Problems<Values>,
): Words | undefined {
  const judged = state.tried || state.left.includes(name);
  return state.refusal.fields?.[name] ?? (judged ? check(state.values)[name] : undefined);
}

export function isDirty<Values extends FormValues>(values: Values, initial: Values): boolean {
  return Object.keys(initial).some((name) => values[name] !== initial[name]);
}
