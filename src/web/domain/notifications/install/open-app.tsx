import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import styles from './install.module.css';

/** Time that a device may take to open the app, in milliseconds. */
const patienceMs = 2500;

interface OpenAppProps {
  below?: boolean;
  first?: boolean;
  quiet?: boolean;
}

/**
 * The link that opens the brand's app, if there is one. Browsers do not report whether an app opened: if the page is
 * still visible after a while, it shows a message. A web address always opens. `below`: as wide as the element above.
 * `first`: the primary action; `quiet`: one action among others.
 */
export function OpenApp({ below = false, first = false, quiet = false }: OpenAppProps) {
  const { appLink } = useBrand().siteConfig;
  const { alone, watch } = useStayedVisible();
  if (appLink === undefined) return null;
  const ofWeb = appLink.startsWith('https:');
  return (
    <div className={styles.open} data-below={below || undefined}>
      <a
        href={appLink}
        className={buttonClass(
          first ? { size: 'lg', wide: true } : { variant: quiet ? 'quiet' : 'secondary', wide: below || quiet },
        )}
        onClick={ofWeb ? undefined : watch}
      >
        <Trans>Open the app</Trans>
      </a>
      {alone ? (
        <Alert tone="warning" live="polite" title={<Trans>Unable to open Mach app</Trans>}>
          <Trans>If it is not on this device, install it here, or open it on your TV and log in there.</Trans>
        </Alert>
      ) : null}
    </div>
  );
}

/** Whether the page is still visible after the tap that should have opened the app. */
function useStayedVisible() {
  const [alone, setAlone] = useState(false);
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);
  const watch = () => {
    end.current?.();
    setAlone(false);
    const stop = () => {
      clearTimeout(timer);
      for (const sign of ['blur', 'pagehide']) removeEventListener(sign, stop);
      document.removeEventListener('visibilitychange', stop);
    };
    const timer = setTimeout(() => {
      stop();
      setAlone(true);
    }, patienceMs);
    for (const sign of ['blur', 'pagehide']) addEventListener(sign, stop);
    document.addEventListener('visibilitychange', stop);
    end.current = stop;
  };
  return { alone, watch };
}
