import { Trans, useLingui } from '@lingui/react/macro';
import { Clock } from '#web/ui/icon.tsx';
import styles from './saved-stamp.module.css';
import { useEffect, useState } from 'react';
import { isAway } from '#web/platform/api/api-error.ts';
import { useOffline } from '#web/platform/api/network/network-state.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/saved-copies.ts';

/** For so long, in milliseconds, a copy of an earlier visit passes as an answer that is being fetched. */
const quietMs = 3000;

/**
 * When what is on the screen was saved, epoch milliseconds of this device, if it is a saved copy: the shop could not be
 * asked, or it has not answered for a while. `readAt`: when the answer that is shown was read.
 */
export function useSavedAt(error: Error | null, readAt: number): number | undefined {
  const offline = useOffline();
  const [waited, setWaited] = useState(false);
  const kept = readAt > 0 && mayBeSavedCopy(readAt);
  useEffect(() => {
    if (!kept) return undefined;
    const timer = setTimeout(setWaited, quietMs, true);
    return () => clearTimeout(timer);
  }, [kept]);
  return isAway(error) || (kept && (offline || waited)) ? readAt : undefined;
}

interface SavedStampProps {
  /** of the query that is shown */
  error: Error | null;
  /** when its answer came, epoch milliseconds of this device */
  readAt: number;
  /** in the space above what it is about, which stays where it is when the stamp comes and goes */
  inGap?: boolean;
}

/** With what is shown from this phone because the shop could not be asked: how old it is. */
export function SavedStamp({ error, readAt, inGap = false }: SavedStampProps) {
  const { i18n } = useLingui();
  const savedAt = useSavedAt(error, readAt);
  if (savedAt === undefined) return null;
  const time = i18n.date(new Date(savedAt), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.stamp} role="status" data-in-gap={inGap ? '' : undefined}>
      <Clock aria-hidden />
      <Trans>Saved copy from {time}</Trans>
    </p>
  );
}
