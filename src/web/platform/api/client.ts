import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { getSession } from '#web/platform/session/session.ts';
import { ApiError, callErrorOf, type CallError } from './api-error.ts';
import type { HandledError } from './decide.ts';
import type { CallOptions } from './exchange.ts';

/** The input may be left out where the endpoint takes none; the key may not where it is idempotent. */
export type CallArguments<E extends Endpoint> = E extends { readonly idempotent: true }
  ? [input: Input<E>, options: CallOptions & { readonly idempotencyKey: string }]
  : unknown extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

/**
 * [Note: API client] A page arrives with its data, so what talks to the API (the HTTP library, the error catalogue and its
 * policy) is not on the way of its first paint: it is fetched as soon as the page lives, and waited for by whoever
 * calls before that.
 */
export const loadApiClient = () => import('./send.ts');

/**
 * Calls the API and answers with the parsed result. Throws `ApiError`, after what the policy of the error asks for has been
 * done about it (a toast, the end of the session, another page).
 */
export async function call<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Result<E>> {
  const [input, options = {}] = rest;
  // Read before anything is awaited: logout sends its call and forgets the session in one breath.
  const token = getSession()?.token ?? null;
  const { send } = await loadApiClient().catch((cause: unknown) => {
    throw new ApiError('network', endpoint.name, { lost: 'unreachable', cause });
  });
  // Where the input may be left out, Input<E> asks for nothing.
  return send(endpoint, (input ?? {}) as Input<E>, token, options);
}

/** What came of a call: its result or its error. */
export type Attempt<T> =
  | { readonly result: T; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: CallError };

/** What a caller shows itself, unless it says otherwise: what the endpoint lists, and failures without a code. */
export function shownByCaller({ errors }: Endpoint): readonly HandledError[] {
  // the end of a session is never the caller's to show
  return ['network', 'http', 'malformed', ...errors.filter((name) => name !== 'invalidToken')];
}

/**
 * Calls the API for code that continues after any outcome: an error of the call is returned, a fault is thrown. Errors that
 * the endpoint lists are the caller's to show.
 */
export function attempt<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Attempt<Result<E>>> {
  const [input, options] = rest;
  const given = { callerShows: shownByCaller(endpoint), ...options };
  // the tuple that was taken apart, with more options
  return settled(call(endpoint, ...([input, given] as unknown as CallArguments<E>)));
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
