import type * as v from 'valibot';
import { stored, type Stored } from './stored.ts';

/**
 * Unsubmitted input of a form, for this tab only. Never pass a secret field: a password, a verification code, a card
 * number or its security code.
 */
export function draft<S extends v.GenericSchema>(form: string, schema: S): Stored<v.InferOutput<S>> {
  return stored(`draft.${form}`, schema, 'session');
}
