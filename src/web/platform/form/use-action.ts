import { useLingui } from '@lingui/react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Refusal } from './form-state.ts';

/** The outcome of an action; a message in `refusal` is shown. */
export interface ActionOutcome {
  readonly refusal?: Refusal<never> | undefined;
}

export interface Action<Arguments extends readonly unknown[], Outcome> {
  /** starts it; does nothing while the previous one is in progress */
  readonly mutate: (...given: Arguments) => void;
  /** the same, with its outcome; undefined where nothing was started */
  readonly send: (...given: Arguments) => Promise<Outcome | undefined>;
  readonly isPending: boolean;
  /** the message about the last one */
  readonly problem: string | undefined;
  /** clears `problem`, as when a dialog is opened again */
  readonly clear: () => void;
}

/**
 * Runs one act at a time: returns undefined while one is in progress. Accepts the next one after any end, also a fault.
 */
export function createSingleFlight() {
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    start: async <T>(act: () => Promise<T>): Promise<T | undefined> => {
      if (isRunning) return undefined;
      isRunning = true;
      try {
        return await act();
      } finally {
        isRunning = false;
      }
    },
  };
}

/** The settings of every mutation of the storefront. */
export const mutationOptions = {
  networkMode: 'always',
  retry: false,
  // milliseconds; the variables may contain a password, and 0 sets timers without end while an unmounted one is pending
  gcTime: 1000,
} as const;

/**
 * One action of the customer, of one call (`useApiMutation`) or of several: runs once at a time, is never retried, and
 * starts also while the browser reports no network. An error that `act` throws is a fault and is not shown.
 */
export function useAction<Arguments extends readonly unknown[], Outcome extends ActionOutcome>(
  act: (...given: Arguments) => Promise<Outcome>,
): Action<Arguments, Outcome> {
  const { i18n } = useLingui();
  const [flight] = useState(createSingleFlight);
  const { mutateAsync, isPending, data, reset } = useMutation({
    mutationFn: (run: () => Promise<Outcome>) => run(),
    ...mutationOptions,
  });
  // guarded here and not by `isPending`, because two taps can come before the next render
  const send = (...given: Arguments) => flight.start(() => mutateAsync(() => act(...given)));
  return {
    send,
    mutate: (...given) => void send(...given),
    isPending,
    problem: data?.refusal?.summary?.(i18n),
    // a reset while it runs would show a button that ignores taps
    clear: () => {
      if (!flight.isRunning()) reset();
    },
  };
}
