import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { appSchema, type BrandApp } from '#contract/site.ts';
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

/** The brand's app; undefined if it has none, or one that does not fit the contract. */
export function useBrandApp(): (BrandApp & { name: string }) | undefined {
  const { siteConfig, theme } = useBrand();
  const parsed = v.safeParse(appSchema, siteConfig.app);
  return parsed.success ? { ...parsed.output, name: parsed.output.name ?? theme.name } : undefined;
}

/**
 * The link that opens the brand's app, if there is one. Browsers do not report whether an app opened: if the page is
 * still visible after a while, it shows a message. A web address always opens. `below`: as wide as the element above.
 * `first`: the primary action; `quiet`: one action among others.
 */
export function OpenApp({ below = false, first = false, quiet = false }: OpenAppProps) {
  const app = useBrandApp();
  const { alone, watch } = useStayedVisible();
  if (!app) return null;
  const { link, store } = placesOf(app, navigator);
  return (
    <div className={styles.open} data-below={below || undefined}>
      <a
        href={link}
        className={buttonClass(
          first ? { size: 'lg', wide: true } : { variant: quiet ? 'quiet' : 'secondary', wide: below || quiet },
        )}
        onClick={link.startsWith('https:') ? undefined : watch}
      >
        <Trans>Open the app</Trans>
      </a>
      {alone ? <NotOpened name={app.name} store={store} /> : null}
    </div>
  );
}

/** With the name "Mach", the title is the specification's sentence. */
function NotOpened({ name, store }: { name: string; store: string | undefined }) {
  const install = store ? (
    <a href={store} rel="noopener noreferrer" className={buttonClass({ variant: 'secondary' })}>
      <Trans>Install {name}</Trans>
    </a>
  ) : null;
  return (
    <Alert tone="warning" live="polite" title={<Trans>Unable to open {name} app</Trans>} action={install}>
      {store ? (
        <Trans>It may not be installed on this device. You can also open it on your TV and log in there.</Trans>
      ) : (
        <Trans>Open it on a device that has it, or on your TV, and log in there.</Trans>
      )}
    </Alert>
  );
}

/** What opens the app on this device, and where it is installed from. */
export function placesOf({ link, intent, stores }: BrandApp, device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  const system = systemOf(device);
  const opens = system === 'android' && intent !== undefined ? intent : link;
  return { link: opens, store: (system && stores?.[system]) ?? stores?.other };
}

function systemOf({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  // an iPad reports itself as a Mac with touch points
  if (/Macintosh/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'mac';
  return /Windows NT/.test(userAgent) ? 'windows' : undefined;
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
