import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ChangeEvent, type ReactNode, type RefObject } from 'react';
import { verificationCodeDigits } from '../../contract/limits.ts';
import { Field } from '../ui/field.tsx';
import styles from '../ui/field.module.css';
import { codeDigits, completion, isWholeCode } from './code-typing.ts';
import { codeFromSms } from './web-otp.ts';

interface CodeFieldProps {
  /** at most four digits */
  value: string;
  /** hands on digits only, whatever was typed or pasted */
  onChange: (code: string) => void;
  /** once, when the last digit is there */
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
 * What is typed or pasted next takes the place of a refused code, which would be in its way. The words of an error also
 * change while a new code is being typed; then nothing is selected, or each digit would replace the one before.
 */
function useSelectRefused(
  { value, error }: Pick<CodeFieldProps, 'value' | 'error'>,
  input: RefObject<HTMLInputElement | null>,
): void {
  const refused = Boolean(error) && isWholeCode(value);
  useEffect(() => {
    if (refused && document.activeElement === input.current) input.current?.select();
  }, [refused, input]);
}

function useCompletion(code: string, onComplete: ((code: string) => void) | undefined): void {
  const last = useRef('');
  const act = useRef(onComplete);
  useEffect(() => {
    act.current = onComplete;
  });
  useEffect(() => {
    const now = completion(last.current, code);
    last.current = now.last;
    if (now.send) act.current?.(code);
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
