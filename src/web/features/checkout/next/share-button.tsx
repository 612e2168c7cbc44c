import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Share2 } from '../../../ui/icon.tsx';

const canShare = () => typeof navigator !== 'undefined' && 'share' in navigator;

/** Hands the text to another app of the phone; nothing where the browser cannot. */
export function ShareButton({ title, text }: { title: string; text: string }) {
  const [failed, setFailed] = useState(false);
  if (!canShare()) return null;
  const share = () =>
    navigator.share({ title, text }).then(
      () => setFailed(false),
      // closing the list of apps is no failure
      (error: unknown) => setFailed(!(error instanceof DOMException && error.name === 'AbortError')),
    );
  return (
    <>
      <Button variant="secondary" onClick={() => void share()}>
        <Share2 aria-hidden />
        <Trans>Share</Trans>
      </Button>
      <span role="status">{failed ? <Trans>Sharing did not work. Please copy the numbers instead.</Trans> : null}</span>
    </>
  );
}
