import { useCallback, useEffect } from 'react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { ErrorPage } from '../features/errors/error-page.tsx';
import { NetworkErrorState } from '../features/errors/network-error-state.tsx';
import { isMissingChunk } from '../pwa/chunk-reload.ts';
import { networkState, onBack, retryNetwork } from '../pwa/network-state.ts';

/** A page that could not be shown: no network is a state that ends by itself, anything else is the error page. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const lost = error instanceof ApiError && error.kind === 'network';
  const offline = lost || (isMissingChunk(error) && networkState() === 'offline');
  const again = useCallback(() => {
    queries.reset();
    reset();
    void router.invalidate();
  }, [queries, reset, router]);
  useEffect(() => (offline ? onBack(again) : undefined), [offline, again]);
  if (!offline) return <ErrorPage />;
  const retry = () => {
    retryNetwork();
    again();
  };
  return <NetworkErrorState onRetry={retry} />;
}
