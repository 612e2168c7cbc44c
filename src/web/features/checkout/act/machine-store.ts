import { markBusy } from '../../../session/busy.ts';
import { isBusy, payStep, type PayEvent, type PayState } from './pay-machine.ts';

/** The machine with its listeners; while it is busy, nothing may reload the page ([Note: Busy]). */
export function createMachine(first: PayState) {
  let state = first;
  let pages = 0;
  let release: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const mark = () => {
    // A request on its way must arrive even if its page is gone; nobody goes on checking for a page that is gone, or
    // leads it on to the result, which the customer must get to see.
    const underWay = isBusy(state) || state.phase === 'next';
    const withoutPage = state.phase !== 'checking' && state.phase !== 'next';
    if (underWay && (pages > 0 || withoutPage)) {
      release ??= markBusy('payment');
      return;
    }
    release?.();
    release = undefined;
  };
  return {
    getState: () => state,
    alive: () => pages > 0,
    send: (event: PayEvent): PayState => {
      state = payStep(state, event);
      mark();
      for (const listener of listeners) listener();
      return state;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** a page shows it from now on, until the answer is called */
    open: () => {
      pages += 1;
      mark();
      return () => {
        pages -= 1;
        mark();
      };
    },
  };
}
