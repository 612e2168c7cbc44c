import { useLingui } from '@lingui/react';
import { useEffect, useRef, useState, type ChangeEvent, type SubmitEvent } from 'react';
import { useDraft, type FormDraft } from './use-draft.ts';
import { useFocusFirstInvalid } from './use-focus-first-invalid.ts';
import { useKeepOpen } from './use-keep-open.ts';
import type { Words } from './words.ts';

export type FormValues = Readonly<Record<string, string | boolean>>;
export type Problems<Values> = Readonly<Partial<Record<keyof Values & string, Words>>>;

/** What the server, or the way to it, had against a form: at its fields, or above it. */
export interface Refusal<Values> {
  readonly fields?: Problems<Values> | undefined;
  readonly summary?: Words | undefined;
}

interface FormOptions<Values extends FormValues> {
  readonly initial: Values;
  /** pure: what is wrong with these values, field by field */
  readonly check: (values: Values) => Problems<Values>;
  /** answers undefined when it is done; what it throws is a fault, not a refusal */
  readonly submit: (values: Values) => Promise<Refusal<Values> | undefined>;
  /** where the fields that are no secret are kept while they are typed */
  readonly draft?: FormDraft<Values> | undefined;
}

interface FormState<Values> {
  readonly values: Values;
  readonly touched: Readonly<Partial<Record<keyof Values, true>>>;
  readonly refusal: Refusal<Values>;
  readonly busy: boolean;
  /** how often it was refused; each time the first wrong field gets the focus */
  readonly refusals: number;
  readonly tried: boolean;
}

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string;
type TickName<Values> = { [Name in keyof Values]: Values[Name] extends boolean ? Name : never }[keyof Values] & string;

/**
 * [Note: Forms] A form knows its values, what is wrong with them, and whether it is under way. A field is judged when
 * it is left, and from the first try on with every letter; what the server refused stands until its field changes.
 */
export function useForm<Values extends FormValues>(options: FormOptions<Values>) {
  const { initial, check, submit, draft } = options;
  const { i18n } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<FormState<Values>>(() => fresh(initial));
  const sending = useRef(false);
  const { values, touched, refusal, busy, tried } = state;
  const dirty = Object.keys(initial).some((name) => values[name] !== initial[name]);
  useKeepOpen(dirty);
  useFocusFirstInvalid(form, state.refusals);
  useDraft(form, values, draft, (found) => setState((old) => ({ ...old, values: { ...old.values, ...found } })));

  const set = <Name extends keyof Values & string>(name: Name, value: Values[Name]) =>
    setState((old) => ({
      ...old,
      values: { ...old.values, [name]: value },
      refusal: { fields: { ...old.refusal.fields, [name]: undefined } as Problems<Values> },
    }));

  const errorOf = (name: keyof Values & string): string | undefined => {
    const words = refusal.fields?.[name] ?? (tried || touched[name] ? check(values)[name] : undefined);
    return words?.(i18n);
  };

  const send = async () => {
    if (sending.current) return;
    if (Object.keys(check(values)).length > 0) {
      setState((old) => ({ ...old, tried: true, refusal: {}, refusals: old.refusals + 1 }));
      return;
    }
    sending.current = true;
    setState((old) => ({ ...old, tried: true, busy: true, refusal: {} }));
    const refused = await submit(values).finally(() => {
      sending.current = false;
    });
    if (!refused) draft?.store.remove();
    setState((old) => ({ ...old, busy: false, refusal: refused ?? {}, refusals: old.refusals + (refused ? 1 : 0) }));
  };

  return {
    values,
    set,
    busy,
    summary: refusal.summary?.(i18n),
    formProps: {
      ref: form,
      noValidate: true,
      method: 'post' as const,
      onSubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void send();
      },
    },
    text: (name: TextName<Values>, typed: (text: string) => string = asTyped) => ({
      name,
      // TextName holds exactly the names whose values are strings
      value: values[name] as string,
      error: errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, typed(event.target.value) as Values[typeof name]),
      onBlur: () => values[name] !== '' && setState((old) => ({ ...old, touched: { ...old.touched, [name]: true } })),
    }),
    tick: (name: TickName<Values>) => ({
      name,
      // TickName holds exactly the names whose values are booleans
      checked: values[name] as boolean,
      error: errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.target.checked as Values[typeof name]),
    }),
  };
}

const asTyped = (text: string) => text;

function fresh<Values>(values: Values): FormState<Values> {
  return { values, touched: {}, refusal: {}, busy: false, refusals: 0, tried: false };
}

/** For accounts, codes and numbers: what is pasted with spaces loses them. */
export const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');
