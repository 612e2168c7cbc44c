import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { CheckoutStep } from './steps.tsx';

/** Navigates to a step by a history entry, so that Back leads to the previous step. */
export function useStep(current: CheckoutStep): (step: CheckoutStep) => void {
  const navigate = useNavigate();
  return (step) => {
    if (step !== current) void navigate({ to: '/payment', search: (search) => ({ ...search, step }) });
  };
}

/**
 * Leaves the hand-over to a phone: returns to where it was started, or to the first step if this page was opened at it.
 */
export function useCancelPhoneHandover(): () => void {
  const router = useRouter();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: '/payment', search: (search) => ({ ...search, step: 'method' }), replace: true });
  };
}

/** A declined order is repaid and not replaced, even after a reload: its ID is in the URL. */
export function useOrderInAddress(orderId: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (orderId === undefined) return;
    void navigate({ to: '/payment', search: (search) => ({ ...search, orderId }), replace: true, resetScroll: false });
  }, [navigate, orderId]);
}
