import { Trans, useLingui } from '@lingui/react/macro';
import { Clock } from '#web/ui/icon.tsx';
import styles from '#web/ui/saved-stamp.module.css';
import { useEffect, useState } from 'react';
import { isServerUnreachable } from '#web/platform/api/api-error.ts';
import { useLoss } from '#web/platform/api/network/network-state.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/personal-copies.ts';

/** How long, in milliseconds, a copy of an earlier visit is shown without a stamp while the answer is being fetched. */
const quietMs = 3000;

/**
 * When the shown answer was saved, in epoch milliseconds of this device, if it is a saved copy: the server is
 * unreachable, or has not answered for a while. `readAt`: when the shown answer was fetched.
 */
export function useSavedAt(error: Error | null, readAt: number): number | undefined {
  const offline = useLoss() !== undefined;
  const [waited, setWaited] = useState(false);
  const isSavedCopy = readAt > 0 && mayBeSavedCopy(readAt);
  useEffect(() => {
    if (!isSavedCopy) return undefined;
    const timer = setTimeout(setWaited, quietMs, true);
    return () => clearTimeout(timer);
  }, [isSavedCopy]);
  return isServerUnreachable(error) || (isSavedCopy && (offline || waited)) ? readAt : undefined;
}

interface SavedStampProps {
  /** of the shown query */
  error: Error | null;
  /** when its answer arrived, in epoch milliseconds of this device */
  readAt: number;
  /** in the gap above its content, which does not move when the stamp appears and disappears */
  fillsGap?: boolean;
}

/** For content of this device while the server is unreachable: shows how old it is. */
export function SavedStamp({ error, readAt, fillsGap = false }: SavedStampProps) {
  const { i18n } = useLingui();
  const savedAt = useSavedAt(error, readAt);
  if (savedAt === undefined) return null;
  const time = i18n.date(new Date(savedAt), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.stamp} role="status" data-in-gap={fillsGap ? '' : undefined}>
      <Clock aria-hidden />
      <Trans>Saved copy from {time}</Trans>
    </p>
  );
}
