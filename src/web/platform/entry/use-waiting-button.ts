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
  const alive = useHydrated();
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(
    () => (alive ? activateButton(name, () => afterTwoFrames(() => ref.current?.click())) : undefined),
    [alive, name],
  );
  return { ref, disabled: !alive, ...(alive ? {} : { 'data-waiting': name }) };
}
