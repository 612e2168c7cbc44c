import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldMessages } from './field.tsx';
import styles from './field.module.css';
import { ChevronDown } from './icon.tsx';

/** The native select in our box: phones open their picker, TVs their menu. */
export function Select({
  label,
  error,
  hint,
  id,
  className,
  children,
  ...select
}: FieldMessages & ComponentProps<'select'>) {
  const ids = useFieldIds({ label, error, hint }, id);
  return (
    <FieldFrame id={ids.id} label={label} error={error} hint={hint}>
      <select {...select} {...ids} className={classNames(styles.input, styles.select, className)}>
        {children}
      </select>
      <ChevronDown className={`lucide ${styles.chevron}`} aria-hidden />
    </FieldFrame>
  );
}
