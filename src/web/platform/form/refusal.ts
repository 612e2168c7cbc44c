import type { ErrorField, ErrorName } from '#contract/error-codes.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { HandledError } from '#web/platform/api/decide.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import type { Refusal } from './form-state.ts';
import type { Words } from './words.ts';

/** The failures without a code that a form always shows itself. */
const failures = ['network', 'http', 'malformed'] as const;

/**
 * What a form takes on itself, for `call`'s `handledErrors`; any other error has its toast, and the
 * end of a session is never a form's ([Note: Error decision]).
 */
export const ownedBy = (reasons: readonly ErrorName[]): readonly HandledError[] => [
  ...failures,
  ...reasons.filter((one) => one !== 'invalidToken'),
];

interface Place<Values> {
  /** which of the form's fields stands for a field of the catalogue */
  readonly fields: Readonly<Partial<Record<ErrorField, keyof Values & string>>>;
  readonly owned: readonly HandledError[];
  /** words of the form's own for some errors; undefined leaves them to the catalogue */
  readonly words?: ((error: ApiError) => Words | undefined) | undefined;
}

/** Where an error of a call is shown: at its field, above the form, or, when a toast has said it, nowhere. */
export function refusalOf<Values>(error: unknown, { fields, owned, words }: Place<Values>): Refusal<Values> {
  if (!(error instanceof ApiError)) throw error;
  const said: Words = words?.(error) ?? ((i18n) => wordsOf(i18n, error));
  if (error.kind !== 'refused') return { summary: said };
  const { entry } = error;
  const own = entry?.policy === 'pass' || owned.some((one) => one === error.reason);
  if (!own) return {};
  const field = entry?.field && fields[entry.field];
  // the name comes from the map above, so it is one of the form's
  return field ? { fields: { [field]: said } as Refusal<Values>['fields'] } : { summary: said };
}
