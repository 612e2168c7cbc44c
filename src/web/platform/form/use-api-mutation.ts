import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import type { ApiErrorKind, CallError } from '#web/platform/api/api-error.ts';
import { attempt, shownErrorsOf, type CallArguments } from '#web/platform/api/client.ts';
import type { CallOptions } from '#web/platform/api/exchange.ts';
import type { HandledError } from '#web/platform/api/decide.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import type { Refusal } from './form-state.ts';
import type { LocalizedMessage } from './localized-message.ts';
import { useLingui } from '@lingui/react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

type Failure = Exclude<ApiErrorKind, 'refused'>;

/**
 * The errors that a caller can name: those that the endpoint lists, an input that does not fit, and failures without a
 * code.
 */
type NamedError<E extends Endpoint> = E['errors'][number] | 'invalidRequest' | Failure;

/** What to show: a message, a refusal with its fields, or nothing. */
type Shown = LocalizedMessage | Refusal<never> | undefined | void;

/** Handles one error. `message` is the default message. */
type ErrorHandler<E extends Endpoint> = (
  error: CallError,
  message: LocalizedMessage,
  input: Input<E>,
) => Shown | Promise<Shown>;

export interface MutationOptions<E extends Endpoint> {
  /** the mutation is pending until this ends; its return value is shown like an error */
  readonly onSuccess?: ((result: Result<E>, input: Input<E>) => Shown | Promise<Shown>) | undefined;
  readonly errors?: { readonly [Name in NamedError<E>]?: ErrorHandler<E> } | undefined;
  /** messages of the caller's own; undefined selects the catalogue's */
  readonly message?: ((error: CallError) => LocalizedMessage | undefined) | undefined;
  /** called after any error, whether it is shown here or elsewhere */
  readonly onError?: ((error: CallError) => void) | undefined;
  /**
   * Which errors the caller shows, as `problem` or by its form: those that the endpoint lists and failures without a
   * code, or all. Other errors follow [Note: Error decision].
   */
  readonly shows?: 'listed' | 'all' | undefined;
}

/**
 * The outcome of sending. Both are undefined where nothing was sent, because the previous call is still in progress.
 */
export interface Outcome<E extends Endpoint> {
  readonly result?: Result<E> | undefined;
  readonly error?: CallError | undefined;
  /** what to show; empty for nothing, and undefined after a success */
  readonly refusal?: Refusal<never> | undefined;
}

export interface ApiMutation<E extends Endpoint> extends Omit<Action<CallArguments<E>, Outcome<E>>, 'send'> {
  /** sends for a form, which shows the refusal itself */
  readonly send: (...input: CallArguments<E>) => Promise<Outcome<E>>;
}

const nothingShown: Refusal<never> = {};

/** A write of the contract: sent once at a time and never retried (`useAction`). */
export function useApiMutation<E extends Endpoint>(endpoint: E, options: MutationOptions<E> = {}): ApiMutation<E> {
  const action = useAction((...input: CallArguments<E>) => sendMutation(endpoint, input, options));
  return { ...action, send: async (...input) => (await action.send(...input)) ?? { refusal: nothingShown } };
}

/** Sends the call and runs the handlers of its outcome. */
export async function sendMutation<E extends Endpoint>(
  endpoint: E,
  [input, callOptions]: CallArguments<E>,
  options: MutationOptions<E>,
): Promise<Outcome<E>> {
  const allOptions = { ...callOptions, ...displayOptions(endpoint, options) };
  // as: the same tuple with more options
  const { result, error } = await attempt(endpoint, ...([input, allOptions] as unknown as CallArguments<E>));
  // as: where the input is optional, Input<E> is unknown
  const sent = (input ?? {}) as Input<E>;
  if (!error) {
    const shown = await options.onSuccess?.(result, sent);
    return { result, refusal: shown ? refusalOf(shown) : undefined };
  }
  options.onError?.(error);
  return { error, refusal: await refusalAfter(endpoint, error, sent, options) };
}

function displayOptions<E extends Endpoint>(endpoint: E, { errors, shows }: MutationOptions<E>): CallOptions {
  if (shows === 'all') return { quiet: true };
  // as: the keys of a map by these names
  const handled = Object.keys(errors ?? {}) as HandledError[];
  return { shownErrors: [...shownErrorsOf(endpoint), ...handled] };
}

async function refusalAfter<E extends Endpoint>(
  endpoint: E,
  error: CallError,
  input: Input<E>,
  { errors = {}, message, shows }: MutationOptions<E>,
): Promise<Refusal<never>> {
  const text = message?.(error) ?? errorMessage(error);
  const field = error.entry?.field;
  const handlers: Readonly<Partial<Record<HandledError, ErrorHandler<E>>>> = errors;
  const name = error.kind === 'refused' ? error.reason : error.kind;
  const handler = name && handlers[name];
  const shown = handler
    ? await handler(error, text, input)
    : shows === 'all' || isShownByCaller(endpoint, error)
      ? text
      : undefined;
  if (!shown) return nothingShown;
  return { field, ...refusalOf(shown) };
}

const refusalOf = (shown: LocalizedMessage | Refusal<never>): Refusal<never> =>
  typeof shown === 'function' ? { summary: shown } : shown;

/** The message of the catalogue for an error. */
export const errorMessage =
  (error: CallError): LocalizedMessage =>
  (i18n) =>
    messageOfError(i18n, error);

/** Whether no toast has shown it already. */
export function isShownByCaller({ errors }: Endpoint, { kind, reason, entry }: CallError): boolean {
  if (kind !== 'refused') return true;
  const listed: readonly (ErrorName | undefined)[] = errors;
  return entry?.policy === 'pass' || (reason !== 'invalidToken' && listed.includes(reason));
}

/** The outcome of an action; a message in `refusal` is shown. */
interface ActionOutcome {
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
