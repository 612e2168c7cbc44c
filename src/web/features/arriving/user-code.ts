import * as v from 'valibot';
import { userCodeSchema } from '../../../contract/sign-on.ts';

const half = 4;

/** A code as it is typed: letters only, upper-cased, with the dash where the TV has it. */
export function typedUserCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 2 * half);
  return letters.length > half ? `${letters.slice(0, half)}-${letters.slice(half)}` : letters;
}

/** Whether it can be the code of a TV at all. */
export const isUserCode = (text: string) => v.is(userCodeSchema, text);
