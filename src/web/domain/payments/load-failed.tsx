import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useRef } from 'react';
import { callErrorOf, isServerUnreachable } from '#web/platform/api/api-error.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { onReconnect, retryNetwork, useLoss } from '#web/platform/api/network/network-state.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';

interface LoadFailedProps {
  error: Error;
  onRetry: () => void;
}

/** Replaces content that failed to load: shows the error and what helps. Offline, it retries by itself. */
export function LoadFailed({ error, onRetry }: LoadFailedProps) {
  const lost = callErrorOf(error)?.kind === 'network';
  useRetryWhenBack(isServerUnreachable(error), onRetry);
  return lost ? <NetworkLost onRetry={onRetry} /> : <Refused error={error} onRetry={onRetry} />;
}

function NetworkLost({ onRetry }: { onRetry: () => void }) {
  const online = useLoss() !== 'device';
  const retry = () => {
    retryNetwork();
    onRetry();
  };
  return (
    <StatePage
      art={<StateArt kind="offline" />}
      title={online ? <Trans>The shop isn’t responding</Trans> : <Trans>You’re offline</Trans>}
      action={
        <Button onClick={retry}>
          <Trans>Retry</Trans>
        </Button>
      }
    >
      <p>
        {online ? (
          <Trans>This page reloads once the shop responds.</Trans>
        ) : (
          <Trans>You’re offline. This page opens as soon as you’re back online.</Trans>
        )}
      </p>
    </StatePage>
  );
}

function Refused({ error, onRetry }: LoadFailedProps) {
  const { i18n } = useLingui();
  const known = callErrorOf(error);
  const settled = known?.kind === 'refused' && known.status !== undefined && known.status < 500;
  return (
    <StatePage
      art={<StateArt kind="error" />}
      title={known ? messageOfError(i18n, known) : <Trans>Something went wrong on our side.</Trans>}
      action={
        <>
          {settled ? null : (
            <Button onClick={onRetry}>
              <Trans>Retry</Trans>
            </Button>
          )}
          <Link to="/pricing-table" className={buttonClass({ variant: settled ? 'primary' : 'secondary' })}>
            <Trans>See plans</Trans>
          </Link>
        </>
      }
    />
  );
}

function useRetryWhenBack(lost: boolean, onRetry: () => void): void {
  const latest = useRef(onRetry);
  useEffect(() => {
    latest.current = onRetry;
  });
  useEffect(() => (lost ? onReconnect(() => latest.current()) : undefined), [lost]);
}
