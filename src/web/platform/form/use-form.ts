import { useLingui } from '@lingui/react';
import type { I18n } from '@lingui/core';
import { useRef, useState, type ChangeEvent, type SubmitEvent, useEffect, type RefObject } from 'react';
import {
  freshForm,
  deferred,
  isDirty,
  problemOf,
  placeAtInput,
  refused,
  withTouched,
  withResetField,
  withoutErrors,
  withValue,
  type FormState,
  type FormValues,
  type NameOf,
  type NamesOf,
  type Problems,
  type Refusal,
} from './form-state.ts';
import { useDraft, type FormDraft } from './use-draft.ts';
import { removeInvisible } from '#contract/typed-text.ts';
import { markBusy } from '#web/platform/session/busy.ts';

export interface FormOptions<Values extends FormValues> {
  readonly initial: Values;
  /** pure: what is wrong with these values, field by field */
  readonly check: (values: Values) => Problems<Values>;
  /** answers undefined when it is done, `{}` when something else comes first; what it throws is a fault, not a refusal */
  readonly submit: (values: Values) => Promise<Refusal<Values> | undefined>;
  /** where the fields that are no secret are stored while they are typed */
  readonly draft?: FormDraft<Values> | undefined;
}

/**
 * [Note: Forms] A form knows its values, what is wrong with them, and whether it is under way. It is never sent twice
 * at once, nothing reloads the page while something is typed, and the first wrong field gets the focus.
 */
export function useForm<Values extends FormValues>(options: FormOptions<Values>) {
  const { i18n } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState(() => freshForm(options.initial));
  const send = useSend(options, form, state.values, setState);
  usePreventReload(isDirty(state.values, options.initial));
  useFocusFirstInvalid(form, state.refusals);
  useDraft(form, state.values, options.draft, (found) =>
    setState((old) => ({ ...old, values: { ...old.values, ...found } })),
  );
  return {
    values: state.values,
    isSubmitting: state.isSubmitting,
    /** the error of the whole form */
    summary: state.refusal.summary?.(i18n),
    formProps: {
      ref: form,
      noValidate: true,
      method: 'post' as const,
      onSubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void send();
      },
    },
    /** for the next question of the form: errors appear again when it is sent */
    clearErrors: () => setState(withoutErrors),
    /** empties a field, which has no error until the form is sent again or the field was left */
    resetField: (name: NamesOf<Values, string>) => setState((old) => withResetField(old, name)),
    ...bindFields(state, setState, options.check, i18n),
  };
}

interface TextInput {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  readonly onBlur: () => void;
}

interface TickInput extends Omit<TextInput, 'value' | 'onBlur'> {
  readonly checked: boolean;
}

type Registered<Value> = Value extends boolean ? TickInput : TextInput;

interface RegisterOptions {
  /** what becomes of the typed text before it is stored */
  readonly setValueAs?: (text: string) => string;
}

/** The fields of a form: `register` gives an input its value, its error and its listeners; `setValue` is for the rest. */
function bindFields<Values extends FormValues>(
  state: FormState<Values>,
  setState: SetState<Values>,
  check: (values: Values) => Problems<Values>,
  i18n: I18n,
) {
  const { values } = state;
  const errorOf = (name: NameOf<Values>) => problemOf(state, name, check)?.(i18n);
  const setValue = <Name extends NameOf<Values>>(name: Name, value: Values[Name]) =>
    setState((old) => withValue(old, name, value));
  // an input gives text or whether it is ticked, as its value is
  const change = (name: NameOf<Values>, value: string | boolean) => setValue(name, value as Values[typeof name]);
  const register = <Name extends NameOf<Values>>(name: Name, { setValueAs = asTyped }: RegisterOptions = {}) => {
    const value = values[name];
    const shared = { name, error: errorOf(name) };
    const onBlur = () => {
      if (value !== '') later(() => setState((old) => withTouched(old, name, value)));
    };
    const input =
      typeof value === 'boolean'
        ? { ...shared, checked: value, onChange: ({ target }: InputChange) => change(name, target.checked) }
        : {
            ...shared,
            value: String(value),
            onChange: ({ target }: InputChange) => change(name, setValueAs(target.value)),
            onBlur,
          };
    // the branch above follows the type of the value
    return input as unknown as Registered<Values[Name]>;
  };
  return { setValue, register, errors: errorsOf(values, errorOf) };
}

type InputChange = ChangeEvent<HTMLInputElement>;

/** The errors that are shown now, by field. */
function errorsOf<Values extends FormValues>(values: Values, errorOf: (name: NameOf<Values>) => string | undefined) {
  const shown = Object.keys(values).flatMap((name) => {
    const error = errorOf(name);
    return error === undefined ? [] : [[name, error]];
  });
  // the names are those of the values
  return Object.fromEntries(shown) as Readonly<Partial<Record<NameOf<Values>, string>>>;
}

type SetState<Values> = (change: (old: FormState<Values>) => FormState<Values>) => void;

/** Checks, then sends once; a second tap while it is under way does nothing. */
function useSend<Values extends FormValues>(
  options: FormOptions<Values>,
  form: RefObject<HTMLFormElement | null>,
  values: Values,
  setState: SetState<Values>,
) {
  const sending = useRef(false);
  return async () => {
    if (sending.current) return;
    if (Object.values(options.check(values)).some(Boolean)) {
      setState((old) => refused(old));
      return;
    }
    sending.current = true;
    setState((old) => ({ ...old, tried: true, isSubmitting: true, refusal: {}, suppressedErrors: [] }));
    try {
      const answer = await options.submit(values);
      const refusal = answer && placeAtInput(answer, (name) => Boolean(form.current?.elements.namedItem(name)));
      if (refusal) setState((old) => (says(refusal) ? refused(old, refusal) : deferred(old)));
      else {
        setState(withoutErrors);
        options.draft?.store.remove();
      }
    } finally {
      sending.current = false;
      setState((old) => ({ ...old, isSubmitting: false }));
    }
  };
}

const says = ({ fields, summary }: Refusal<unknown>) => fields !== undefined || summary !== undefined;

/** An error that appears at once would push the button away from under the tap that left the field. */
const later = (act: () => void) => setTimeout(act, 200);

const asTyped = (text: string) => text;

/**
 * For accounts and codes: pasted spaces and invisible characters are removed. Other spellings (`typedToken`) are read when the
 * form is sent, because a field that replaces visible characters breaks the composition of an input method.
 */
export const withoutSpaces = (text: string) => removeInvisible(text).replaceAll(/\s/g, '');

/** After each refusal, the first field that is wrong gets the focus, and its error is read out with it. */
function useFocusFirstInvalid(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, refusals]);
}

/** While a form is dirty, nothing reloads the page under it ([Note: Busy]). */
export function usePreventReload(dirty: boolean): void {
  useEffect(() => (dirty ? markBusy('form') : undefined), [dirty]);
}
