import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './pill.module.css';

interface PillProps {
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'brand';
  children: ReactNode;
}

/** A short status beside its subject. */
export function Pill({ tone, children }: PillProps) {
  return <span className={classNames(styles.pill, styles[tone])}>{children}</span>;
}
