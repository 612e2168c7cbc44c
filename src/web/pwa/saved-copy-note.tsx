import { Trans } from '@lingui/react/macro';
import { useLanguage } from '../i18n/active.ts';
import styles from './saved-copy-note.module.css';
import { useSavedAt } from './saved-copies.ts';

interface SavedCopyNoteProps {
  /** the address of the answer, as `requestUrl(endpoint, input)` makes it */
  url: string;
}

/** The quiet stamp under what comes from a saved copy. Nothing where the answer is fresh. */
export function SavedCopyNote({ url }: SavedCopyNoteProps) {
  const savedAt = useSavedAt(url);
  const language = useLanguage();
  if (savedAt === undefined) return null;
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(savedAt);
  return (
    <p className={styles.note} role="status">
      <Trans>Saved copy from {time}</Trans>
    </p>
  );
}
