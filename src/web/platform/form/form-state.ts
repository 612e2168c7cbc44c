import type { ErrorField } from '#contract/error-codes.ts';
import type { Words } from './words.ts';

export type FormValues = Readonly<Record<string, string | boolean>>;
export type NameOf<Values> = keyof Values & string;
export type NamesOf<Values, Kind> = {
  [Name in keyof Values]: Values[Name] extends Kind ? Name : never;
}[keyof Values] &
  string;
export type Problems<Values> = Readonly<Partial<Record<NameOf<Values>, Words | undefined>>>;

/** Why a form was not accepted: errors of its fields, or one error of the form. */
export interface Refusal<Values> {
  readonly fields?: Problems<Values> | undefined;
  readonly summary?: Words | undefined;
  /** the field of the error catalogue that `summary` is about: it is shown there where the form has that field */
  readonly field?: ErrorField | undefined;
}

/** The names of inputs that show the errors of a field of the catalogue; the first one on the screen is taken. */
const inputsOf: Readonly<Partial<Record<ErrorField, readonly string[]>>> = {
  account: ['account', 'phone'],
  email: ['account', 'phone'],
  phone: ['phone', 'account'],
  areaCode: ['areaCode', 'account'],
  // a form with a current and a new password is refused for the current one
  password: ['currentPassword', 'password'],
  code: ['code'],
  nickname: ['nickname'],
  discountCode: ['coupon'],
};

/** Moves an error to the input that it is about; without one on the screen it stays an error of the whole form. */
export function placeAtInput<Values>(refusal: Refusal<Values>, isShown: (name: string) => boolean): Refusal<Values> {
  const { field, summary } = refusal;
  const name = field && inputsOf[field]?.find(isShown);
  if (name === undefined || summary === undefined) return refusal;
  // the input is on the screen, so its name is one of the form's
  return { fields: { ...refusal.fields, [name]: summary } as Problems<Values> };
}

export interface FormState<Values> {
  readonly values: Values;
  /** the fields that were left after typing */
  readonly touched: readonly NameOf<Values>[];
  readonly refusal: Refusal<Values>;
  readonly isSubmitting: boolean;
  /** how often it was refused; each time the first wrong field gets the focus */
  readonly refusals: number;
  readonly tried: boolean;
  /** emptied by us, or asked for only now: nobody's mistake until the form is sent again, or the field is left */
  readonly suppressedErrors: readonly NameOf<Values>[];
}

export function freshForm<Values extends FormValues>(values: Values): FormState<Values> {
  return { values, touched: [], refusal: {}, isSubmitting: false, refusals: 0, tried: false, suppressedErrors: [] };
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

/** `value` is what stood in the field when it was touched: one that was emptied or filled by us since is not judged by it. */
export function withTouched<Values, Name extends NameOf<Values>>(
  state: FormState<Values>,
  name: Name,
  value: Values[Name] = state.values[name],
): FormState<Values> {
  if (state.values[name] !== value) return state;
  const suppressedErrors = state.suppressedErrors.filter((other) => other !== name);
  return {
    ...state,
    suppressedErrors,
    touched: state.touched.includes(name) ? state.touched : [...state.touched, name],
  };
}

/** A field that starts anew, empty: what was wrong with it before says nothing about what is typed next. */
export function withResetField<Values extends FormValues>(
  state: FormState<Values>,
  name: NamesOf<Values, string>,
): FormState<Values> {
  // a name of a text takes an empty one
  const emptied = withValue(state, name, '' as Values[typeof name]);
  const touched = state.touched.filter((other) => other !== name);
  return { ...emptied, touched, suppressedErrors: [...state.suppressedErrors.filter((other) => other !== name), name] };
}

/** Refused by the server, or by the form itself where it says nothing; then every field answers for what is in it. */
export function refused<Values>(state: FormState<Values>, refusal?: Refusal<Values>): FormState<Values> {
  const suppressedErrors = refusal ? state.suppressedErrors : [];
  return {
    ...state,
    refusal: refusal ?? {},
    isSubmitting: false,
    tried: true,
    suppressedErrors,
    refusals: state.refusals + 1,
  };
}

/** Something else comes first, such as a code or a captcha, and says so itself: no field of the form is wrong for it. */
export function deferred<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, refusal: {}, isSubmitting: false, tried: false, refusals: state.refusals + 1 };
}

/** Keeps the values and clears every error: for the next question of a form, and after a successful submit. */
export function withoutErrors<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, touched: [], refusal: {}, tried: false, suppressedErrors: [] };
}

/** Judged when it was left, and from the first try on with every letter; a refusal stands until its field changes. */
export function problemOf<Values>(
  state: FormState<Values>,
  name: NameOf<Values>,
  check: (values: Values) => Problems<Values>,
): Words | undefined {
  const judged = (state.tried || state.touched.includes(name)) && !state.suppressedErrors.includes(name);
  return state.refusal.fields?.[name] ?? (judged ? check(state.values)[name] : undefined);
}

export function isDirty<Values extends FormValues>(values: Values, initial: Values): boolean {
  return Object.keys(initial).some((name) => values[name] !== initial[name]);
}
