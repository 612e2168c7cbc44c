import type { Words } from './words.ts';

export type FormValues = Readonly<Record<string, string | boolean>>;
export type NameOf<Values> = keyof Values & string;
export type NamesOf<Values, Kind> = {
  [Name in keyof Values]: Values[Name] extends Kind ? Name : never;
}[keyof Values] &
  string;
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
  /** emptied by us, or asked for only now: nobody's mistake until the form is sent again, or the field is left */
  readonly spared: readonly NameOf<Values>[];
}

export function freshForm<Values extends FormValues>(values: Values): FormState<Values> {
  return { values, left: [], refusal: {}, busy: false, refusals: 0, tried: false, spared: [] };
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

/** `value` is what stood in the field when it was left: one that was emptied or filled by us since is not judged by it. */
export function withFieldLeft<Values, Name extends NameOf<Values>>(
  state: FormState<Values>,
  name: Name,
  value: Values[Name] = state.values[name],
): FormState<Values> {
  if (state.values[name] !== value) return state;
  const spared = state.spared.filter((other) => other !== name);
  return { ...state, spared, left: state.left.includes(name) ? state.left : [...state.left, name] };
}

/** A field that starts anew, empty: what was wrong with it before says nothing about what is typed next. */
export function withFreshField<Values extends FormValues>(
  state: FormState<Values>,
  name: NamesOf<Values, string>,
): FormState<Values> {
  // a name of a text takes an empty one
  const emptied = withValue(state, name, '' as Values[typeof name]);
  const left = state.left.filter((other) => other !== name);
  return { ...emptied, left, spared: [...state.spared.filter((other) => other !== name), name] };
}

/** Refused by the server, or by the form itself where it says nothing; then every field answers for what is in it. */
export function refused<Values>(state: FormState<Values>, refusal?: Refusal<Values>): FormState<Values> {
  const spared = refusal ? state.spared : [];
  return { ...state, refusal: refusal ?? {}, busy: false, tried: true, spared, refusals: state.refusals + 1 };
}

/** Something else comes first, such as a code or a captcha, and says so itself: no field of the form is wrong for it. */
export function held<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, refusal: {}, busy: false, tried: false, refusals: state.refusals + 1 };
}

/** Keeps the values and clears every error: for the next question of a form, and after a successful submit. */
export function clearValidation<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, left: [], refusal: {}, tried: false, spared: [] };
}

/** Judged when it was left, and from the first try on with every letter; a refusal stands until its field changes. */
export function problemOf<Values>(
  state: FormState<Values>,
  name: NameOf<Values>,
  check: (values: Values) => Problems<Values>,
): Words | undefined {
  const judged = (state.tried || state.left.includes(name)) && !state.spared.includes(name);
  return state.refusal.fields?.[name] ?? (judged ? check(state.values)[name] : undefined);
}

export function isDirty<Values extends FormValues>(values: Values, initial: Values): boolean {
  return Object.keys(initial).some((name) => values[name] !== initial[name]);
}
