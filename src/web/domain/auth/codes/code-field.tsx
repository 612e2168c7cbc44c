import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ChangeEvent, type ReactNode, type RefObject } from 'react';
import { verificationCodeDigits } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import styles from '#web/ui/field.module.css';
import { fillCode, type Filling } from './code-completion.ts';
import { codeDigits, isCompleteCode } from './code-words.ts';

interface CodeFieldProps {
  /** at most four digits */
  value: string;
  /** hands on digits only, whatever was typed or pasted */
  onChange: (code: string) => void;
  /** once, when a field that was empty is full */
  onComplete?: ((code: string) => void) | undefined;
  error?: ReactNode;
  hint?: ReactNode;
  name?: string | undefined;
  ref?: RefObject<HTMLInputElement | null> | undefined;
  /** takes the focus whenever this becomes another one; `asked` of `useCode` */
  focusOn?: object | undefined;
  onBlur?: (() => void) | undefined;
  disabled?: boolean | undefined;
}

/** A code of four digits in one input: to be typed, pasted, or filled in by the system from the SMS. */
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

/**
 * A new code that is on its way makes what stood in the field, and what was said of it, a thing of the past. `request` is
 * the name of the code that was asked for last.
 */
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

/** The next question is answered without a tap; the first one waits for one, because a keyboard would cover the page. */
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
 * What is typed or pasted next takes the place of a refused code, which would be in its way. The words of an error also
 * change while a new code is being typed; then nothing is selected, or each digit would replace the one before.
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
  // what stands in the field when it comes back was tried, or waits for a tap
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

/** The SMS may come while the field is there; whoever leaves the page no longer waits for it. */
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

/** What the browser found in the SMS (WebOTP); the type libraries do not have it yet. */
interface OtpCredential extends Credential {
  readonly code?: string;
}

/**
 * Waits for the SMS whose last line is `@host #code`, and answers with its code; undefined where the browser cannot, or
 * the customer does not let it. `signal` ends the waiting.
 */
async function codeFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in window)) return undefined;
  try {
    // `otp` is WebOTP's own option, which the type of `get` does not know
    const asked = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions;
    const found: OtpCredential | null = await navigator.credentials.get(asked);
    return found?.code;
  } catch (error) {
    // The customer types it instead.
    console.info('The code was not read from an SMS.', error);
    return undefined;
  }
}
