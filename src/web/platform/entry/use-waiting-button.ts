import { useEffect, useRef, type RefObject } from 'react';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { activateButton, afterTwoFrames } from './early-taps.ts';

interface WaitingButton {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly disabled: boolean;
  readonly 'data-waiting'?: string;
}

/**
 * For a button that the server renders and that needs a script: disabled where scripts are off, and a tap before
 * hydration is replayed afterwards (`early-taps.ts`). The name must be unique on the page.
 */
export function useWaitingButton(name: string): WaitingButton {
  const hydrated = useHydrated();
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(
    () => (hydrated ? activateButton(name, () => afterTwoFrames(() => ref.current?.click())) : undefined),
    [hydrated, name],
  );
  return { ref, disabled: !hydrated, ...(hydrated ? {} : { 'data-waiting': name }) };
}
