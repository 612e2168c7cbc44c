import { useLingui } from '@lingui/react/macro';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldWords } from './field-frame.tsx';
import styles from './field.module.css';
import { useTypedValue } from './use-typed-value.ts';
import { Eye, EyeOff } from './icon.tsx';

export type FieldProps = FieldWords &
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
      aria-label={shown ? t`Hide password` : t`Show password`}
      onClick={() => setShown(!shown)}
    >
      {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
    </button>
  );
  return <Field autoCapitalize="none" spellCheck={false} {...props} type={shown ? 'text' : 'password'} suffix={peek} />;
}
