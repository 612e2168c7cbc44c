import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';
import { FieldError, useFieldIds } from './field-frame.tsx';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; error?: ReactNode };

/** A box to tick; its whole line is the target. */
export function Checkbox({ label, error, id, ...input }: CheckboxProps) {
  const ids = useFieldIds({ label, error }, id);
  return (
    <div>
      <label className={styles.row} htmlFor={ids.id}>
        <input {...input} {...ids} type="checkbox" className={styles.box} />
        <span>{label}</span>
      </label>
      {error ? <FieldError id={ids.id}>{error}</FieldError> : null}
    </div>
  );
}
