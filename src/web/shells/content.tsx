import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { blurActiveElement } from '#web/ui/blur-active-element.ts';
import styles from './skip-link.module.css';
import { useLoss } from '#web/platform/api/network/network-state.ts';
import { WifiOff } from '#web/ui/icon.tsx';
import noteStyles from './offline-note.module.css';

/** The id of every layout's main element. */
const contentId = 'content';

export function SkipLink() {
  return (
    <a className={styles.skip} href={`#${contentId}`}>
      <Trans>Skip to content</Trans>
    </a>
  );
}

/** The path that this tab showed last; on the first page the browser sets the focus. */
let lastPath: string | undefined;

/** The main element. It gets the focus after a navigation, so that keyboards and screen readers start there. */
export function Content({ className, children }: { className: string | undefined; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(() => {
    const arrive = () => {
      const moved = lastPath !== undefined && lastPath !== location.pathname;
      lastPath = location.pathname;
      // in the frame that renders the page: focusing forces a layout, which is shared then
      if (moved && !location.hash) requestAnimationFrame(focusContent);
    };
    arrive(); // where the page was mounted with a layout of its own
    const stops = [
      router.subscribe('onBeforeRouteMount', ({ pathChanged }) => pathChanged && blurActiveElement(ref.current)),
      // not earlier: the tapped element still has the focus and is about to be removed
      router.subscribe('onRendered', arrive),
    ];
    return () => stops.forEach((stop) => stop());
  }, [router]);
  return (
    <main ref={ref} className={className} id={contentId} tabIndex={-1}>
      {children}
    </main>
  );
}

/** Focuses the current main element: the one that received the event may be unmounted with its layout. */
function focusContent(): void {
  const main = document.getElementById(contentId);
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/**
 * One line while the server is unreachable. The live region is mounted before it has text, so that the text is
 * announced.
 */
export function OfflineNote() {
  const loss = useLoss();
  return (
    <div role="status">
      {loss && (
        <p className={noteStyles.note}>
          <WifiOff aria-hidden />
          {loss === 'store' ? (
            <Trans>The shop isn’t responding</Trans>
          ) : (
            <Trans>No connection. What was saved on this device is still here.</Trans>
          )}
        </p>
      )}
    </div>
  );
}
