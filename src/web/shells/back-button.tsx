import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { createPortal } from 'react-dom';
import { paths, findPathRow, type PathRow } from '#contract/paths.ts';
import { ArrowLeft } from '#web/ui/icon.tsx';
import { useStore } from '#web/ui/store.ts';
import { backSlot } from './back-slot.ts';
import styles from './back-button.module.css';

/**
 * A back button for installed apps without browser controls: leads to the previous page, or after a cold start on a
 * deep link to the parent page. The four main pages have none.
 */
export function BackButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const router = useRouter();
  // each layout places it before its logo
  const slot = useStore(backSlot, null);
  const way = backTarget(pathname);
  if (!slot || !way) return null;
  const goBack = () => {
    const came = router.history.canGoBack();
    if (came && way.byHistory) router.history.back();
    // replaces the first page, or the phone's own Back would lead down again instead of out
    else void navigate({ href: way.parent, replace: !came });
  };
  return createPortal(
    <button type="button" className={styles.back} aria-label={t`Back`} onClick={goBack}>
      <ArrowLeft aria-hidden />
    </button>,
    slot,
  );
}

/** The target of a page's back button. */
interface WayBack {
  /** the parent page */
  readonly parent: string;
  /** prefer the previous page, if there is one */
  readonly byHistory: boolean;
}

/** The back target of a page in an installed app; undefined if it needs none. */
export function backTarget(pathname: string): WayBack | undefined {
  // an unknown address shows the 404 page; a link redirects before anything is rendered
  const { above, skipsHistory }: PathRow = findPathRow(pathname) ?? paths['/404'];
  return above === undefined ? undefined : { parent: above, byHistory: !skipsHistory };
}
