import type * as v from 'valibot';
import { stored, type Stored } from './stored.ts';

/**
 * What somebody has typed so far in a form, for this tab only. Never give it a field that is a secret: a password, a
 * verification code, a card number or its security code.
 */
export function draft<S extends v.GenericSchema>(form: string, schema: S): Stored<v.InferOutput<S>> {
  return stored(`draft.${form}`, schema, 'session');
}
