import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { blurActiveElement } from '#web/ui/blur-active-element.ts';
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
  const router = useRouter();
  useEffect(() => {
    const arrive = () => {
      const moved = lastPath !== undefined && lastPath !== location.pathname;
      lastPath = location.pathname;
      // with the frame that draws the page: a focus needs its layout, and what else comes with it would need another
      if (moved && !location.hash) requestAnimationFrame(takeFocus);
    };
    arrive(); // where the page has come with a layout of its own
    const stops = [
      router.subscribe('onBeforeRouteMount', ({ pathChanged }) => pathChanged && blurActiveElement(ref.current)),
      // not sooner: what was tapped still has the focus, and is about to go
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

/** The main element of whatever layout there is by now: the one that has heard of the move may have gone with its own. */
function takeFocus(): void {
  const main = document.getElementById(contentId);
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}
