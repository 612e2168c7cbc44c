import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';

/** What is wrong with a form or an act as a whole, said at once; nothing while nothing is. */
export function Problem({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Alert tone="danger" live="assertive">
      {children}
    </Alert>
  );
}
