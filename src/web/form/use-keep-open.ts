import { useEffect } from 'react';
import { markBusy } from '../session/busy.ts';

/** While a form is dirty, nothing reloads the page under it ([Note: Busy]). */
export function useKeepOpen(dirty: boolean): void {
  useEffect(() => (dirty ? markBusy('form') : undefined), [dirty]);
}
