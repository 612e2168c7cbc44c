import { useEffect, useRef, type RefObject } from 'react';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { activateButton, afterTwoFrames } from './early-taps.ts';

interface WaitingButton {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly disabled: boolean;
  readonly 'data-waiting'?: string;
}

/**
 * For a button that the server writes and that needs a script: off for who runs none, and a tap before it lives is kept
 * and done then ([Note: Early taps]). The name is its own on the page.
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
