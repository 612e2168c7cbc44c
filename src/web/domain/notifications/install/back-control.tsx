import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { createPortal } from 'react-dom';
import { paths, rowOf, type PathRow } from '#contract/paths.ts';
import { ArrowLeft } from '#web/ui/icon.tsx';
import { useStore } from '#web/ui/store.ts';
import { backSlot } from './back-slot.ts';
import styles from './back-control.module.css';

/**
 * The way back, in a window that has none of its own: to the page before, and after a cold start on a deep link to the page
 * above. The four places have none.
 */
export function BackControl() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const router = useRouter();
  // each layout has its own, before its logo
  const slot = useStore(backSlot, null);
  const way = backTarget(pathname);
  if (!slot || !way) return null;
  const goBack = () => {
    const came = router.history.canGoBack();
    if (came && way.byHistory) router.history.back();
    // in the place of the first page, or the phone's own Back would lead down again instead of out
    else void navigate({ href: way.parent, replace: !came });
  };
  return createPortal(
    <button type="button" className={styles.back} aria-label={t`Back`} onClick={goBack}>
      <ArrowLeft aria-hidden />
    </button>,
    slot,
  );
}

/** Where the back control of a page leads. */
interface WayBack {
  /** the page above */
  readonly parent: string;
  /** the page that was open before is the better one, if there was any */
  readonly byHistory: boolean;
}

/** The way back from an address of an installed app, where no browser offers one; undefined where none is needed. */
export function backTarget(pathname: string): WayBack | undefined {
  // an address of nobody shows the page that says so; a link leads elsewhere before anything is drawn
  const { above, skipsHistory }: PathRow = rowOf(pathname) ?? paths['/404'];
  return above === undefined ? undefined : { parent: above, byHistory: !skipsHistory };
}
