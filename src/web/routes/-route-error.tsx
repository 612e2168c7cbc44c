import { useCallback, useEffect } from 'react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { isServerUnreachable, type CallError } from '#web/platform/api/api-error.ts';
import { replayEarlyTaps } from '#web/platform/entry/early-taps.ts';
import { ErrorPage, NetworkErrorState } from '#web/features/errors/error-page.tsx';
import { isMissingChunk } from '#web/platform/pwa/chunk-reload.ts';
import { isOffline, onReconnect, retryNetwork } from '#web/platform/api/network/network-state.ts';

/** A page that failed: while offline, a state that ends by itself; otherwise the error page. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const offline = isServerUnreachable(error) || (isMissingChunk(error) && isOffline());
  const again = useCallback(() => {
    queries.reset();
    reset();
    void router.invalidate();
  }, [queries, reset, router]);
  useEffect(() => (offline ? onReconnect(again) : undefined), [offline, again]);
  // Hydration ends with this page.
  useEffect(replayEarlyTaps, []);
  // as: other errors have no report
  if (!offline) return <ErrorPage report={(error as CallError).report} />;
  const retry = () => {
    retryNetwork();
    again();
  };
  return <NetworkErrorState onRetry={retry} />;
}
