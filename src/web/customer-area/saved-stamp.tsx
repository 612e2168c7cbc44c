import { Trans, useLingui } from '@lingui/react/macro';
import { ApiError } from '../api/api-error.ts';
import styles from './saved-stamp.module.css';

interface SavedStampProps {
  /** of the query that is shown */
  error: Error | null;
  /** when its answer came, epoch milliseconds of this device */
  savedAt: number;
}

/** Under what is shown from this phone because the shop could not be asked: how old it is. */
export function SavedStamp({ error, savedAt }: SavedStampProps) {
  const { i18n } = useLingui();
  if (!(error instanceof ApiError) || error.kind === 'refused') return null;
  const time = i18n.date(new Date(savedAt), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.stamp} role="status">
      <Trans>Saved copy from {time}</Trans>
    </p>
  );
}
