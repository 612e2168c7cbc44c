import { useLingui } from '@lingui/react';
import { useRef, useState } from 'react';
import type { Words } from './words.ts';

export interface Tap {
  readonly tap: () => void;
  readonly busy: boolean;
  /** what came of the last tap, when it was refused */
  readonly problem: string | undefined;
  /** clears the result of the last tap, as when a dialog is opened again */
  readonly clear: () => void;
}

/**
 * One act behind one button. It is never under way twice; what `act` answers is said beside the button, what it throws
 * is a fault.
 */
export function useTap(act: () => Promise<Words | undefined>): Tap {
  const { i18n } = useLingui();
  const running = useRef(false);
  const [state, setState] = useState<{ busy: boolean; problem?: Words | undefined }>({ busy: false });
  const run = async () => {
    if (running.current) return;
    running.current = true;
    setState({ busy: true });
    let problem: Words | undefined;
    try {
      problem = await act();
    } finally {
      running.current = false;
      setState({ busy: false, problem });
    }
  };
  const clear = () => setState(({ busy }) => ({ busy }));
  return { tap: () => void run(), busy: state.busy, problem: state.problem?.(i18n), clear };
}
