import { Trans } from '@lingui/react/macro';
import { useOffline } from '#web/platform/api/network/network-state.ts';
import { WifiOff } from '#web/ui/icon.tsx';
import styles from './offline-note.module.css';

/** One quiet line while the shop cannot be reached; it goes by itself. The live region is there before it speaks. */
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
