import { useRef, useState, type SubmitEvent } from 'react';
import { LeavingNotice } from '#web/domain/payments/leaving-notice.tsx';
import type { Elements } from '#web/ui/elements.ts';

export interface Leaving {
  /** above every step; null unless the account is to be deleted */
  readonly notice: Elements;
  /** replaces paying: moves the focus to the notice, and sends nothing; undefined once the deletion is cancelled */
  readonly stop: ((event: SubmitEvent) => void) | undefined;
}

/**
 * `leavesAt`: when the account is deleted, as loaded with the checkout; later changes are reported by the refusal of
 * pay.
 */
export function useLeaving(leavesAt: number | null): Leaving {
  const [at] = useState(leavesAt);
  const [kept, setKept] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  if (at === null) return { notice: null, stop: undefined };
  const stop = (event: SubmitEvent) => {
    event.preventDefault();
    ref.current?.focus();
    ref.current?.scrollIntoView({ block: 'center' });
  };
  return {
    notice: <LeavingNotice ref={ref} at={at} onKept={() => setKept(true)} />,
    stop: kept ? undefined : stop,
  };
}
