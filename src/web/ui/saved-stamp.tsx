import { Trans } from '@lingui/react/macro';
import { Clock } from './icon.tsx';
import styles from './saved-stamp.module.css';

/** When the page's content was saved, in local time (`at`: epoch milliseconds). Browser only. */
export function SavedStamp({ at, language }: { at: number; language: string }) {
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return (
    <p className={styles.stamp}>
      <Clock aria-hidden />
      <Trans>Saved copy from {time}</Trans>
    </p>
  );
}
