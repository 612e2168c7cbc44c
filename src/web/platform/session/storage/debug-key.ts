import * as v from 'valibot';
import { stored } from './stored.ts';

/** The switch of this tab that explains wrong answers to the developer of a backend. */
export const debugKey = stored('debug', v.literal('contract'), 'session', { personal: false });

/** `?debug=contract` turns it on until the tab is closed, and any other `debug` turns it off. */
export function followDebugSwitch(search: string): void {
  const value = new URLSearchParams(search).get('debug');
  if (value === 'contract') debugKey.set(value);
  else if (value !== null) debugKey.remove();
}

/** Whether wrong answers are explained. Always during development; not in unit tests, whose mode is `test`. */
export const isDebugging = (): boolean => import.meta.env.MODE === 'development' || debugKey.get() !== undefined;
