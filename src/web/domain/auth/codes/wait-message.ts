import { msg, plural } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { useEffect, useState } from 'react';
import { serverNow } from '#web/platform/session/server-clock.ts';
import type { CodeWait } from '#web/platform/session/storage/sign-in-keys.ts';
import { secondsLeft } from './code-wait.ts';

/** The message with the time to wait, if the server sent one; undefined uses the catalogue. */
export function waitMessage(error: CallError): LocalizedMessage | undefined {
  const { waitSeconds } = error.params;
  if (!waitSeconds || !error.is('tooFrequent')) return undefined;
  if (waitSeconds <= 90) {
    return (i18n) =>
      i18n._(
        msg`That was a little early. ${plural(waitSeconds, {
          one: 'You can ask again in # second.',
          other: 'You can ask again in # seconds.',
        })}`,
      );
  }
  const minutes = Math.ceil(waitSeconds / 60);
  const words = msg`You have asked often. ${plural(minutes, {
    one: 'You can ask again in # minute.',
    other: 'You can ask again in # minutes.',
  })}`;
  const hours = Math.ceil(minutes / 60);
  const longer = msg`You have asked often. ${plural(hours, {
    one: 'You can ask again in # hour.',
    other: 'You can ask again in # hours.',
  })}`;
  return (i18n) => i18n._(minutes > 90 ? longer : words);
}

/** Seconds until another code or email can be requested, by the server's clock, updated every second. */
export function useSecondsLeft(wait: Pick<CodeWait, 'until'> | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const read = () => {
      const seconds = secondsLeft(wait, serverNow());
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    };
    const timer = setInterval(read, 1000);
    read();
    return () => clearInterval(timer);
  }, [wait]);
  return left;
}
