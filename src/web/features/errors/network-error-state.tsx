import { Trans } from '@lingui/react/macro';
import { LateStateArt } from '../../ui/art/late-state-art.tsx';
import { Button } from '../../ui/button.tsx';
import { RefreshCw } from '../../ui/icon.tsx';
import { StatePage } from '../../ui/state-page.tsx';

/** The shop cannot be reached. It comes back by itself; the button is for those who do not want to wait. */
export function NetworkErrorState({ onRetry }: { onRetry: () => void }) {
  const action = (
    <Button onClick={onRetry}>
      <RefreshCw aria-hidden />
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <StatePage art={<LateStateArt kind="offline" />} title={<Trans>We cannot reach the shop</Trans>} action={action}>
      <p>
        <Trans>Check your connection. This page comes back by itself as soon as there is one.</Trans>
      </p>
    </StatePage>
  );
}
