import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import type { ApiErrorKind, CallError } from '#web/platform/api/api-error.ts';
import { attempt, defaultHandledErrors, type CallArguments } from '#web/platform/api/client.ts';
import type { CallOptions } from '#web/platform/api/exchange.ts';
import type { HandledError } from '#web/platform/api/decide.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import type { Refusal } from './form-state.ts';
import type { LocalizedMessage } from './localized-message.ts';
import { useAction, type Action } from './use-action.ts';

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
  return { handledErrors: [...defaultHandledErrors(endpoint), ...handled] };
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
