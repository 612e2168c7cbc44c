import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { CheckoutStep } from './steps.tsx';

/** Goes to a step, by an entry in the history, so that Back leads to the step before. */
export function useStep(current: CheckoutStep): (step: CheckoutStep) => void {
  const navigate = useNavigate();
  return (step) => {
    if (step !== current) void navigate({ to: '/payment', search: (search) => ({ ...search, step }) });
  };
}

/** Leaves the hand-over to a phone: to where it was asked for, or to the first step where this page was opened at it. */
export function useLeavePhone(): () => void {
  const router = useRouter();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: '/payment', search: (search) => ({ ...search, step: 'method' }), replace: true });
  };
}

/** A declined order is repaid and not replaced, also after a reload: the address carries it. */
export function useOrderInAddress(orderId: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (orderId === undefined) return;
    void navigate({ to: '/payment', search: (search) => ({ ...search, orderId }), replace: true, resetScroll: false });
  }, [navigate, orderId]);
}
