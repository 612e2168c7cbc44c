import { useLingui } from '@lingui/react';
import { useRef, useState, type ChangeEvent, type SubmitEvent, useEffect, type RefObject } from 'react';
import {
  freshForm,
  held,
  isDirty,
  problemOf,
  refused,
  withFieldLeft,
  withFreshField,
  clearValidation,
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
  /** where the fields that are no secret are kept while they are typed */
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
  const send = useSend(options, state.values, setState);
  usePreventReload(isDirty(state.values, options.initial));
  useFocusFirstInvalid(form, state.refusals);
  useDraft(form, state.values, options.draft, (found) =>
    setState((old) => ({ ...old, values: { ...old.values, ...found } })),
  );
  return {
    values: state.values,
    busy: state.busy,
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
    /** what was wrong is said again only once it is tried again: another question stands there now */
    startOver: () => setState(clearValidation),
    /** empties a field, which nobody is blamed for until the form is sent again or the field was left */
    startAnew: (name: NamesOf<Values, string>) => setState((old) => withFreshField(old, name)),
    ...bindFields(state, setState, (name) => problemOf(state, name, options.check)?.(i18n)),
  };
}

/** What the inputs of a form are given: `text('account')` for what is typed, `tick('agreed')` for what is ticked; `set` for the rest. */
function bindFields<Values extends FormValues>(
  { values }: FormState<Values>,
  setState: SetState<Values>,
  error: (name: NameOf<Values>) => string | undefined,
) {
  const set = <Name extends NameOf<Values>>(name: Name, value: Values[Name]) =>
    setState((old) => withValue(old, name, value));
  // `text` and `tick` take only names whose values are what they pass
  const change = (name: NameOf<Values>, value: string | boolean) => set(name, value as Values[typeof name]);
  return {
    set,
    text: (name: NamesOf<Values, string>, typed: (text: string) => string = asTyped) => ({
      name,
      value: String(values[name]),
      error: error(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, typed(event.target.value)),
      onBlur: () => values[name] !== '' && later(() => setState((old) => withFieldLeft(old, name, values[name]))),
    }),
    tick: (name: NamesOf<Values, boolean>) => ({
      name,
      checked: values[name] === true,
      error: error(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.target.checked),
    }),
  };
}

type SetState<Values> = (change: (old: FormState<Values>) => FormState<Values>) => void;

/** Checks, then sends once; a second tap while it is under way does nothing. */
function useSend<Values extends FormValues>(options: FormOptions<Values>, values: Values, setState: SetState<Values>) {
  const sending = useRef(false);
  return async () => {
    if (sending.current) return;
    if (Object.values(options.check(values)).some(Boolean)) {
      setState((old) => refused(old));
      return;
    }
    sending.current = true;
    setState((old) => ({ ...old, tried: true, busy: true, refusal: {}, spared: [] }));
    try {
      const refusal = await options.submit(values);
      if (refusal) setState((old) => (says(refusal) ? refused(old, refusal) : held(old)));
      else {
        setState(clearValidation);
        options.draft?.store.remove();
      }
    } finally {
      sending.current = false;
      setState((old) => ({ ...old, busy: false }));
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
