import { useLingui } from '@lingui/react';
import type { I18n } from '@lingui/core';
import { useRef, useState, type ChangeEvent, type SubmitEvent, useEffect, type RefObject } from 'react';
import {
  freshForm,
  deferred,
  isDirty,
  problemOf,
  placeAtInput,
  withProblems,
  withRefusal,
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
import { removeInvisible } from '#contract/normalize-text.ts';
import { addBusyReason } from '#web/platform/session/busy.ts';

interface FormOptions<Values extends FormValues> {
  readonly initial: Values;
  /** pure: the errors of these values, by field */
  readonly check: (values: Values) => Problems<Values>;
  /**
   * returns undefined after a success, `{}` when another step comes first; an error that it throws is a fault, not a
   * refusal
   */
  readonly submit: (values: Values) => Promise<Refusal<Values> | undefined>;
  /** where the fields that are no secret are stored while the customer types */
  readonly draft?: FormDraft<Values> | undefined;
}

/**
 * State of a form: its values, their errors, and whether it is being submitted. It is never submitted twice at once,
 * the page is not reloaded while it has input, and the first invalid field gets the focus.
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
  const { setValue, register, readErrors } = bindFields(state, setState, options.check, i18n);
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
    /** for the next step of the form: errors appear again after its submit */
    clearErrors: () => setState(withoutErrors),
    /** empties a field, which shows no error until the form is submitted again or the field is left */
    resetField: (name: NamesOf<Values, string>) => setState((old) => withResetField(old, name)),
    setValue,
    register,
    /** read on demand, because `check` may use what the caller declares below */
    get errors() {
      return readErrors();
    },
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
  /** transforms the typed text before it is stored */
  readonly setValueAs?: (text: string) => string;
}

/** The fields of a form: `register` returns an input's value, error and listeners; `setValue` is for other controls. */
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
  // as: an input returns text or whether it is ticked, like its value
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
    // as: the branch above follows the type of the value
    return input as unknown as Registered<Values[Name]>;
  };
  return { setValue, register, readErrors: () => errorsOf(values, errorOf) };
}

type InputChange = ChangeEvent<HTMLInputElement>;

/** The errors that are shown now, by field. */
function errorsOf<Values extends FormValues>(values: Values, errorOf: (name: NameOf<Values>) => string | undefined) {
  const shown = Object.keys(values).flatMap((name) => {
    const error = errorOf(name);
    return error === undefined ? [] : [[name, error]];
  });
  // as: the names are those of the values
  return Object.fromEntries(shown) as Readonly<Partial<Record<NameOf<Values>, string>>>;
}

type SetState<Values> = (change: (old: FormState<Values>) => FormState<Values>) => void;

/** Checks, then submits once; a second tap meanwhile does nothing. */
function useSend<Values extends FormValues>(
  options: FormOptions<Values>,
  form: RefObject<HTMLFormElement | null>,
  values: Values,
  setState: SetState<Values>,
) {
  const sending = useRef(false);
  return async () => {
    if (sending.current) return;
    const problems = options.check(values);
    if (Object.values(problems).some(Boolean)) {
      setState((old) => withProblems(old, problems));
      return;
    }
    sending.current = true;
    setState((old) => ({ ...old, tried: true, isSubmitting: true, refusal: {}, suppressedErrors: [], passed: [] }));
    try {
      const answer = await options.submit(values);
      const refusal = answer && placeAtInput(answer, (name) => Boolean(form.current?.elements.namedItem(name)));
      if (refusal) setState((old) => (hasErrors(refusal) ? withRefusal(old, refusal) : deferred(old)));
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

const hasErrors = ({ fields, summary }: Refusal<unknown>) => fields !== undefined || summary !== undefined;

/** An error that appears at once would move the button away from under the tap that blurred the field. */
const later = (act: () => void) => setTimeout(act, 200);

const asTyped = (text: string) => text;

/**
 * For accounts and codes: removes pasted spaces and invisible characters. Other spellings (`normalizeToken`) are converted
 * at submit, because a field that replaces visible characters breaks the composition of an input method.
 */
export const withoutSpaces = (text: string) => removeInvisible(text).replaceAll(/\s/g, '');

/** After each refusal, focuses the first invalid field, so that a screen reader announces its error too. */
function useFocusFirstInvalid(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, refusals]);
}

/** Prevents reloads while a form is dirty ([Note: Busy]). */
export function usePreventReload(dirty: boolean): void {
  useEffect(() => (dirty ? addBusyReason('form') : undefined), [dirty]);
}
