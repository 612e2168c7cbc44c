import type { ErrorField } from '#contract/error-codes.ts';
import type { LocalizedMessage } from './localized-message.ts';

export type FormValues = Readonly<Record<string, string | boolean>>;
export type NameOf<Values> = keyof Values & string;
export type NamesOf<Values, Kind> = {
  [Name in keyof Values]: Values[Name] extends Kind ? Name : never;
}[keyof Values] &
  string;
export type Problems<Values> = Readonly<Partial<Record<NameOf<Values>, LocalizedMessage | undefined>>>;

/** Why a form was not accepted: errors of its fields, or one error of the form. */
export interface Refusal<Values> {
  readonly fields?: Problems<Values> | undefined;
  readonly summary?: LocalizedMessage | undefined;
  /** the field of the error catalogue that `summary` is about: it is shown there where the form has that field */
  readonly field?: ErrorField | undefined;
}

/** Fields whose errors the card form, the list of saved cards and the captcha place themselves. */
type PlacedElsewhere = 'cardNumber' | 'cardCode' | 'cardExpiry' | 'savedCard' | 'captcha';

/** The names of inputs that show the errors of a field of the catalogue; the first one on the screen is used. */
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
} satisfies Record<Exclude<ErrorField, PlacedElsewhere>, readonly string[]>;

/** Moves an error to the input that it is about; without such an input on the screen it stays an error of the form. */
export function placeAtInput<Values>(refusal: Refusal<Values>, isShown: (name: string) => boolean): Refusal<Values> {
  const { field, summary } = refusal;
  const name = field && inputsOf[field]?.find(isShown);
  if (name === undefined || summary === undefined) return refusal;
  // as: the input is on the screen, so its name is one of the form's
  return { fields: { ...refusal.fields, [name]: summary } as Problems<Values> };
}

export interface FormState<Values> {
  readonly values: Values;
  /** fields that the customer left after typing */
  readonly touched: readonly NameOf<Values>[];
  readonly refusal: Refusal<Values>;
  readonly isSubmitting: boolean;
  /** number of refusals; each one moves the focus to the first invalid field */
  readonly refusals: number;
  readonly tried: boolean;
  /**
   * fields that were emptied by the form, or just added: they show no error until the form is submitted again or the
   * field is left
   */
  readonly suppressedErrors: readonly NameOf<Values>[];
  /**
   * fields that were correct when the form's own check refused others, and were not left since: neither what is typed
   * elsewhere nor their own first letters make them wrong yet, such as a repetition while it or the password is typed
   */
  readonly passed: readonly NameOf<Values>[];
}

export function freshForm<Values extends FormValues>(values: Values): FormState<Values> {
  const none = { touched: [], suppressedErrors: [], passed: [] };
  return { ...none, values, refusal: {}, isSubmitting: false, refusals: 0, tried: false };
}

/** A change clears the server's errors of the field and of the form. */
export function withValue<Values extends FormValues, Name extends NameOf<Values>>(
  state: FormState<Values>,
  name: Name,
  value: Values[Name],
): FormState<Values> {
  // as: a computed name loses its type in a spread
  const fields = { ...state.refusal.fields, [name]: undefined } as Problems<Values>;
  return { ...state, values: { ...state.values, [name]: value }, refusal: { fields } };
}

/** `value` is the field's value when it was left. A field that the form has changed since is not validated for it. */
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
    passed: state.passed.filter((other) => other !== name),
    touched: state.touched.includes(name) ? state.touched : [...state.touched, name],
  };
}

/** Empties a field and clears its error until it is left or the form is submitted again. */
export function withResetField<Values extends FormValues>(
  state: FormState<Values>,
  name: NamesOf<Values, string>,
): FormState<Values> {
  // as: the name is one of a text field
  const emptied = withValue(state, name, '' as Values[typeof name]);
  const touched = state.touched.filter((other) => other !== name);
  return { ...emptied, touched, suppressedErrors: [...state.suppressedErrors.filter((other) => other !== name), name] };
}

/** Refused by the server. */
export function withRefusal<Values>(state: FormState<Values>, refusal: Refusal<Values>): FormState<Values> {
  return { ...state, refusal, isSubmitting: false, tried: true, passed: [], refusals: state.refusals + 1 };
}

/** Refused by the form's own check, which has found `problems`. */
export function withProblems<Values extends FormValues>(
  state: FormState<Values>,
  problems: Problems<Values>,
): FormState<Values> {
  // as: the names of the form's values
  const names = Object.keys(state.values) as NameOf<Values>[];
  return { ...withRefusal(state, {}), suppressedErrors: [], passed: names.filter((name) => !problems[name]) };
}

/** Another step comes first, such as a code or a captcha, and shows its own message: no field is invalid. */
export function deferred<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, refusal: {}, isSubmitting: false, tried: false, refusals: state.refusals + 1 };
}

/** Keeps the values and clears every error: for the next step of a form, and after a successful submit. */
export function withoutErrors<Values>(state: FormState<Values>): FormState<Values> {
  return { ...state, touched: [], refusal: {}, tried: false, suppressedErrors: [], passed: [] };
}

/**
 * A field is validated once it was left, and on each of its changes after the first submit. The server's error stays
 * until the field changes.
 */
export function problemOf<Values>(
  state: FormState<Values>,
  name: NameOf<Values>,
  check: (values: Values) => Problems<Values>,
): LocalizedMessage | undefined {
  // a text is complete when it is left, a checkbox with each change
  const hasPassed = state.passed.includes(name) && state.values[name] !== false;
  const isExempt = state.suppressedErrors.includes(name) || hasPassed;
  const isValidated = (state.tried || state.touched.includes(name)) && !isExempt;
  return state.refusal.fields?.[name] ?? (isValidated ? check(state.values)[name] : undefined);
}

export function isDirty<Values extends FormValues>(values: Values, initial: Values): boolean {
  return Object.keys(initial).some((name) => values[name] !== initial[name]);
}
