import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';
import { FieldError, useFieldIds } from './field.tsx';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; error?: ReactNode; hint?: ReactNode };

/**
 * A checkbox whose whole line is the target. `off` stops Firefox from restoring its state after a reload: it may be a
 * consent.
 */
export function Checkbox({ label, error, hint, id, ...input }: CheckboxProps) {
  const ids = useFieldIds({ label, error, hint }, id);
  return (
    <div>
      <label className={styles.row} htmlFor={ids.id}>
        <input autoComplete="off" {...input} {...ids} type="checkbox" className={styles.box} />
        <span>{label}</span>
      </label>
      {hint && !error ? (
        <div className={styles.hint} id={`${ids.id}-hint`}>
          {hint}
        </div>
      ) : null}
      {error ? <FieldError id={ids.id}>{error}</FieldError> : null}
    </div>
  );
}
