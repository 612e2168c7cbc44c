import { useId, type ReactNode } from 'react';
import styles from './field.module.css';
import { CircleAlert } from './icon.tsx';

export interface FieldWords {
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
export function useFieldIds({ error, hint }: FieldWords, given?: string): FieldIds {
  const generatedId = useId();
  const id = given ?? generatedId;
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described };
}

/** An error below its control; announced when it appears. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={`${id}-error`} role="alert">
      <CircleAlert aria-hidden />
      <span>{children}</span>
    </p>
  );
}

interface FrameProps extends FieldWords {
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
