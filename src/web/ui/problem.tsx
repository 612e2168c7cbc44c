import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';

/** The error of a form or an action, announced at once; nothing without an error. */
export function Problem({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Alert tone="danger" live="assertive">
      {children}
    </Alert>
  );
}
