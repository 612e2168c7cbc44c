import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Share2 } from '#web/ui/icon.tsx';

interface Shared {
  title: string;
  /** plain text: never an address with a token, nor the customer's identity */
  text: string;
}

/** Missing in some browsers, although TypeScript's DOM types claim otherwise. */
type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Whether this browser can share this with other apps (W3C Web Share). Not on a TV, which has no other apps for it. */
function canShare(shared: Shared): boolean {
  if (typeof navigator === 'undefined' || document.documentElement.dataset.screen === 'TV') return false;
  const sharing: Sharing = navigator;
  return sharing.share !== undefined && (sharing.canShare?.(shared) ?? true);
}

/** Shares the text with another app; renders nothing if the browser cannot. */
export function ShareButton({ title, text }: Shared) {
  const [failed, setFailed] = useState(false);
  if (!canShare({ title, text })) return null;
  const share = () =>
    navigator.share({ title, text }).then(
      () => setFailed(false),
      // closing the list of apps is not a failure
      (error: unknown) => setFailed(!(error instanceof DOMException && error.name === 'AbortError')),
    );
  return (
    <>
      <Button variant="secondary" onClick={() => void share()}>
        <Share2 aria-hidden />
        <Trans>Share</Trans>
      </Button>
      <span role="status" className={failed ? undefined : 'sr-only'}>
        {failed ? <Trans>Sharing didn’t work.</Trans> : null}
      </span>
    </>
  );
}
