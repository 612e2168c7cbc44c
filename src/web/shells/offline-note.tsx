import { Trans } from '@lingui/react/macro';
import { useOffline } from '#web/platform/api/network/network-state.ts';
import { WifiOff } from '#web/ui/icon.tsx';
import styles from './offline-note.module.css';

/**
 * One line while the server is unreachable. The live region is mounted before it has text, so that the text is
 * announced.
 */
export function OfflineNote() {
  const offline = useOffline();
  return (
    <div role="status">
      {offline && (
        <p className={styles.note}>
          <WifiOff aria-hidden />
          <Trans>No connection. What was saved on this device is still here.</Trans>
        </p>
      )}
    </div>
  );
}
