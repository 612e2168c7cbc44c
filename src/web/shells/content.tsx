import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import styles from './skip-link.module.css';

/** The id of every layout's main element. */
export const contentId = 'content';

export function SkipLink() {
  return (
    <a className={styles.skip} href={`#${contentId}`}>
      <Trans>Skip to content</Trans>
    </a>
  );
}

/** The page that this tab showed last; on the first one, the browser itself sees to the focus. */
let lastPath: string | undefined;

/** The main element. After a move to another page it takes the focus, so that keyboards and readers start there. */
export function Content({ className, children }: { className: string | undefined; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const main = ref.current;
    const moved = lastPath !== undefined && lastPath !== pathname;
    lastPath = pathname;
    if (moved && main && !location.hash && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main ref={ref} className={className} id={contentId} tabIndex={-1}>
      {children}
    </main>
  );
}
