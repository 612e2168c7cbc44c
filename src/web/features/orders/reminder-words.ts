import { msg, plural } from '@lingui/core/macro';
import type { ApiError } from '../../api/api-error.ts';
import type { Words } from '../../form/words.ts';

/** How long to wait for another mail, where the server says it; undefined leaves the words to the catalogue. */
export function tooOften(error: ApiError): Words | undefined {
  const { waitSeconds } = error.params;
  if (error.code !== -3031 || !waitSeconds) return undefined;
  const minutes = Math.ceil(waitSeconds / 60);
  const inMinutes = msg`We have just sent you a mail. ${plural(minutes, {
    one: 'You can have another one in # minute.',
    other: 'You can have another one in # minutes.',
  })}`;
  const hours = Math.ceil(minutes / 60);
  const inHours = msg`We have sent you mails already. ${plural(hours, {
    one: 'You can have another one in # hour.',
    other: 'You can have another one in # hours.',
  })}`;
  return (i18n) => i18n._(minutes > 90 ? inHours : inMinutes);
}
