import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { CheckoutStep } from './steps.tsx';

/** Goes to a step, by an entry in the history, so that Back leads to the step before. */
export function useStep(current: CheckoutStep): (step: CheckoutStep) => void {
  const navigate = useNavigate();
  return (step) => {
    if (step !== current) void navigate({ to: '/payment', search: (search) => ({ ...search, step }) });
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
