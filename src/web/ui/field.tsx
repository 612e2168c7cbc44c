import { useLingui } from '@lingui/react/macro';
import { useState, useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { useTypedValue } from './use-typed-value.ts';
import { Eye, CircleAlert } from './icon.tsx';

export type FieldProps = FieldMessages &
  Omit<ComponentProps<'input'>, 'prefix'> & { prefix?: ReactNode; suffix?: ReactNode };

/**
 * A labelled input whose error and hint screen readers announce with it. Optional fields set `required={false}`. It
 * uses `aria-required`, because with the native attribute some screen readers call an untouched field invalid.
 */
export function Field({ label, error, hint, prefix, suffix, id, className, required = true, ...input }: FieldProps) {
  const ids = useFieldIds({ label, error, hint }, id);
  const typed = useTypedValue(input);
  return (
    <FieldFrame id={ids.id} label={label} error={error} hint={hint}>
      {prefix ? <span className={styles.affix}>{prefix}</span> : null}
      <input {...input} {...typed} {...ids} aria-required={required} className={classNames(styles.input, className)} />
      {suffix ? <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span> : null}
    </FieldFrame>
  );
}

/** A password with a button that shows it; the button's label is its next action, and it never submits the form. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'suffix'>) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  const peek = (
    <button
      type="button"
      className={styles.peek}
      data-shown={shown || undefined}
      aria-label={shown ? t`Hide password` : t`Show password`}
      onClick={() => setShown(!shown)}
    >
      <Eye aria-hidden />
    </button>
  );
  return <Field autoCapitalize="none" spellCheck={false} {...props} type={shown ? 'text' : 'password'} suffix={peek} />;
}

export interface FieldMessages {
  label: ReactNode;
  error?: ReactNode;
  hint?: ReactNode;
}

interface FieldIds {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** The attributes that connect a control with its label, hint and error. */
export function useFieldIds({ error, hint }: FieldMessages, given?: string): FieldIds {
  const generatedId = useId();
  const id = given ?? generatedId;
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described };
}

let isAnnouncing = false;

/**
 * Announces an error when it appears: of several that appear together, such as after an empty submit, the first, whose
 * field receives the focus. Screen readers read each of the others with its field.
 */
function announceFirst(element: HTMLElement | null): void {
  if (!element || isAnnouncing) return;
  isAnnouncing = true;
  queueMicrotask(() => (isAnnouncing = false));
  element.setAttribute('role', 'alert');
}

/** An error below its control, which names it with `aria-describedby`. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={`${id}-error`} ref={announceFirst}>
      <CircleAlert aria-hidden />
      <span>{children}</span>
    </p>
  );
}

interface FrameProps extends FieldMessages {
  id: string;
  children: ReactNode;
}

/** Label, box, and below it the hint, or the error in its place: the same spacing for every control. */
export function FieldFrame({ id, label, error, hint, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error ? '' : undefined}>
        {children}
      </div>
      {error ? <FieldError id={id}>{error}</FieldError> : null}
      {hint && !error ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
