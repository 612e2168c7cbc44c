import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ChangeEvent, type ReactNode, type RefObject } from 'react';
import { verificationCodeDigits } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import styles from '#web/ui/field.module.css';
import { fillCode, type Filling } from './code-completion.ts';
import { codeDigits, isCompleteCode } from './use-code.ts';

interface CodeFieldProps {
  /** at most four digits */
  value: string;
  /** receives digits only, whatever was typed or pasted */
  onChange: (code: string) => void;
  /** called once when an empty field has been completed */
  onComplete?: ((code: string) => void) | undefined;
  error?: ReactNode;
  hint?: ReactNode;
  name?: string | undefined;
  ref?: RefObject<HTMLInputElement | null> | undefined;
  /** the field is focused whenever this object changes; `asked` of `useCode` */
  focusOn?: object | undefined;
  onBlur?: (() => void) | undefined;
  disabled?: boolean | undefined;
}

/** A four-digit code in one input, which can be typed, pasted, or filled in from the SMS by the system. */
export function CodeField({ onChange, onComplete, focusOn, ref, ...field }: CodeFieldProps) {
  const { t } = useLingui();
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  useEffect(() => {
    if (focusOn) input.current?.focus();
  }, [focusOn, input]);
  useSelectRefused(field, input);
  useCompletion(field.value, onComplete);
  useSms(onChange);
  return (
    <Field
      name="code"
      {...field}
      ref={input}
      label={t`Verification code`}
      className={styles.codeInput}
      type="text"
      inputMode="numeric"
      pattern={`[0-9]{${verificationCodeDigits}}`}
      autoComplete="one-time-code"
      enterKeyHint="done"
      onFocus={(event) => event.target.select()}
      onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(codeDigits(event.target.value, field.value))}
    />
  );
}

/** Clears the field and its error when a new code was requested. `request` identifies the latest requested code. */
export function useFreshCode(
  { resetField }: { resetField: (name: 'code') => void },
  request: string | undefined,
): void {
  const start = useRef(resetField);
  useEffect(() => {
    start.current = resetField;
  });
  useEffect(() => {
    if (request !== undefined) start.current('code');
  }, [request]);
}

/** Focuses the field of the next question; not of the first one, because a keyboard would cover the page. */
export function useFirstField(step: string, form: { readonly current: HTMLFormElement | null }): void {
  useEffect(() => {
    if (step !== 'code' && step !== 'password') return;
    const asked = [
      ...(form.current?.querySelectorAll<HTMLInputElement>('input[name=code], input[name=password]') ?? []),
    ];
    (asked.find(({ value }) => value === '') ?? asked[0])?.focus();
  }, [step, form]);
}

/**
 * Selects a refused code, so that the next input replaces it. The message of an error also changes while a new code is
 * typed; nothing is selected then, or each digit would replace the one before.
 */
function useSelectRefused(
  { value, error }: Pick<CodeFieldProps, 'value' | 'error'>,
  input: RefObject<HTMLInputElement | null>,
): void {
  const refused = Boolean(error) && isCompleteCode(value);
  useEffect(() => {
    if (refused && document.activeElement === input.current) input.current?.select();
  }, [refused, input]);
}

function useCompletion(code: string, onComplete: ((code: string) => void) | undefined): void {
  // a restored value was tried already, or waits for a tap
  const filling = useRef<Filling>({ code, wasWhole: code.length === verificationCodeDigits });
  const act = useRef(onComplete);
  useEffect(() => {
    act.current = onComplete;
  });
  useEffect(() => {
    const { now, send } = fillCode(filling.current, code, verificationCodeDigits);
    filling.current = now;
    if (send) act.current?.(code);
  }, [code]);
}

/** Waits for the SMS while the field is mounted. */
function useSms(onChange: (code: string) => void): void {
  const fill = useRef(onChange);
  useEffect(() => {
    fill.current = onChange;
  });
  useEffect(() => {
    const leaving = new AbortController();
    void codeFromSms(leaving.signal).then((code) => {
      if (code !== undefined && !leaving.signal.aborted) fill.current(codeDigits(code));
    });
    return () => leaving.abort();
  }, []);
}

/** The code that the browser found in the SMS (WebOTP); TypeScript's DOM types lack it. */
interface OtpCredential extends Credential {
  readonly code?: string;
}

/**
 * Waits for an SMS whose last line is `@host #code` and returns its code; undefined if the browser cannot read it or
 * the customer refuses. `signal` aborts.
 */
async function codeFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in window)) return undefined;
  try {
    // `otp` is WebOTP's option, which the type of `get` lacks
    const asked = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions;
    const found: OtpCredential | null = await navigator.credentials.get(asked);
    return found?.code;
  } catch (error) {
    // The customer types the code instead.
    console.info('The code was not read from an SMS.', error);
    return undefined;
  }
}
