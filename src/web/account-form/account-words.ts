import { msg, plural } from '@lingui/core/macro';
import type { ApiError } from '../api/api-error.ts';
import type { Words } from '../form/words.ts';

/** What the forms of this room say their own way; the catalogue has the rest. */
export function accountWords(error: ApiError): Words | undefined {
  if (error.kind === 'network') return (i18n) => i18n._(msg`We could not reach the shop. Nothing was lost; try again.`);
  const { waitSeconds } = error.params;
  if (!waitSeconds || (error.code !== 17 && error.code !== 7004)) return undefined;
  const minutes = Math.ceil(waitSeconds / 60);
  return (i18n) =>
    i18n._(
      msg`Too many failed attempts. ${plural(minutes, {
        one: 'Try again in # minute.',
        other: 'Try again in # minutes.',
      })}`,
    );
}
