import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { getSession } from '#web/platform/session/session.ts';
import { ApiError, callErrorOf, type CallError } from './api-error.ts';
import type { HandledError } from './decide.ts';
import type { CallOptions } from './exchange.ts';

/** The input is optional where the endpoint takes none; the key is required where it is idempotent. */
export type CallArguments<E extends Endpoint> = E extends { readonly idempotent: true }
  ? [input: Input<E>, options: CallOptions & { readonly idempotencyKey: string }]
  : unknown extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

/**
 * A page arrives with its data, so the HTTP library, the messages of errors and the error policy are not needed for its
 * first paint. They are fetched right after hydration; an earlier call waits for them.
 */
export const loadApiClient = () => import('./send.ts');

/**
 * Calls the API and returns the parsed result. Throws `ApiError`, after the policy of the error was applied (a toast,
 * the end of the session, a navigation).
 */
export async function call<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Result<E>> {
  const [input, options = {}] = rest;
  // Read before anything is awaited: logout sends its call and clears the session synchronously.
  const token = getSession()?.token ?? null;
  const { send } = await loadApiClient().catch((cause: unknown) => {
    throw new ApiError('network', endpoint.name, { lost: 'unreachable', cause });
  });
  // as: where the input is optional, Input<E> is unknown
  return send(endpoint, (input ?? {}) as Input<E>, token, options);
}

/** The outcome of a call: its result or its error. */
export type Attempt<T> =
  | { readonly result: T; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: CallError };

/** The errors that a caller shows itself by default: those that the endpoint lists, and failures without a code. */
export function shownErrorsOf({ errors }: Endpoint): readonly HandledError[] {
  // the caller never shows the end of a session
  return ['network', 'http', 'malformed', ...errors.filter((name) => name !== 'invalidToken')];
}

/**
 * Calls the API for code that continues after any outcome: an error of the call is returned, a fault is thrown. The
 * caller shows the errors that the endpoint lists.
 */
export function attempt<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Attempt<Result<E>>> {
  const [input, options] = rest;
  const allOptions = { shownErrors: shownErrorsOf(endpoint), ...options };
  // as: the same tuple with more options
  return settled(call(endpoint, ...([input, allOptions] as unknown as CallArguments<E>)));
}

async function settled<T>(calling: Promise<T>): Promise<Attempt<T>> {
  try {
    return { result: await calling };
  } catch (thrown) {
    const error = callErrorOf(thrown);
    if (!error) throw thrown;
    return { error };
  }
}
