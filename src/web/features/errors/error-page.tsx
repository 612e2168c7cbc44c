import type { Elements } from '#web/ui/elements.ts';
import { Trans } from '@lingui/react/macro';
import { LateStateArt } from '#web/ui/art/lazy-state-art.tsx';
import { buttonClass, Button } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { useLoss } from '#web/platform/api/network/network-state.ts';

/**
 * An error in the browser. Only a full page load helps, so the action is a plain link. `report` is for the developer of
 * a backend.
 */
export function ErrorPage({ report }: { report?: Elements }) {
  const action = (
    <a href="/" className={buttonClass()}>
      <Trans>Start over from home</Trans>
    </a>
  );
  return (
    <StatePage
      art={<LateStateArt kind="error" />}
      title={<Trans>Something went wrong on our side</Trans>}
      action={action}
    >
      <p>
        <Trans>It’s not your fault. If you were paying, check your orders before you try again.</Trans>
      </p>
      {report}
    </StatePage>
  );
}

/** The server cannot be reached. It retries by itself; the button retries at once. */
export function NetworkErrorState({ onRetry }: { onRetry: () => void }) {
  const loss = useLoss();
  const action = (
    <Button onClick={onRetry}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <StatePage art={<LateStateArt kind="offline" />} title={<Trans>We can’t reach the shop</Trans>} action={action}>
      {loss === 'device' && (
        <p>
          <Trans>Check your connection. This page reloads once you’re back online.</Trans>
        </p>
      )}
    </StatePage>
  );
}
