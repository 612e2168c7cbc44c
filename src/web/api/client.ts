import type { Endpoint, Input, Result } from '../../contract/endpoint.ts';
import { getSession } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { Owned } from './decide.ts';
import type { ExchangeOptions } from './exchange.ts';

export interface CallOptions extends ExchangeOptions {
  /** the caller shows every error itself; sessions still end */
  readonly quiet?: boolean | undefined;
  /** what the caller shows itself, at a field for instance */
  readonly owns?: readonly Owned[] | undefined;
}

/** The input may be left out where the endpoint takes none; the key may not where it is idempotent. */
export type CallArguments<E extends Endpoint> = E extends { readonly idempotent: true }
  ? [input: Input<E>, options: CallOptions & { readonly idempotencyKey: string }]
  : unknown extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

/**
 * [Note: Wire] A page arrives with its data, so what talks to the API (the HTTP library, the error catalogue and its
 * policy) is not on the way of its first paint: it is fetched as soon as the page lives, and waited for by whoever
 * calls before that.
 */
export const loadWire = () => import('./send.ts');

/**
 * Calls the API and answers with the parsed result. Throws `ApiError`, after what spec section 8 asks for has been
 * done about it (a toast, the end of the session, another page).
 */
export async function call<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Result<E>> {
  const [input, options = {}] = rest;
  // Read before anything is awaited: logout sends its call and forgets the session in one breath.
  const token = getSession()?.token ?? null;
  const { send } = await loadWire().catch((cause: unknown) => {
    throw new ApiError('network', endpoint.name, { lost: 'unreachable', cause });
  });
  // Where the input may be left out, Input<E> asks for nothing.
  return send(endpoint, (input ?? {}) as Input<E>, token, options);
}
