import { useEffect } from 'react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { ErrorPage } from '../features/errors/error-page.tsx';
import { NetworkErrorState } from '../features/errors/network-error-state.tsx';
import { onBack, retryNetwork } from '../pwa/network-state.ts';

/** A page that could not be shown: no network is a state that ends by itself, anything else is the error page. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const offline = error instanceof ApiError && error.kind === 'network';
  useEffect(() => {
    if (!offline) return undefined;
    return onBack(() => void router.invalidate());
  }, [offline, router]);
  if (!offline) return <ErrorPage />;
  const retry = () => {
    retryNetwork();
    reset();
    void router.invalidate();
  };
  return <NetworkErrorState onRetry={retry} />;
}
