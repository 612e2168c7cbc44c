import ky, { isHTTPError, isTimeoutError, type KyResponse } from 'ky';
import * as v from 'valibot';
import type { Endpoint, Input, Result } from '../../contract/endpoint.ts';
import { envelopeSchema, refusalCode } from '../../contract/envelope.ts';
import { requestTimeoutMs } from '../../contract/limits.ts';
import { heldToken, getSession } from '../session/session.ts';
import { parseJson } from '../storage/stored.ts';
import { currentScene } from '../entry/scene.ts';
import { ApiError } from './api-error.ts';
import { decide, type Owned } from './decide.ts';
import { perform } from './perform.ts';
import { requestHeaders } from './request-headers.ts';
import { requestUrl, type Parts } from './request-url.ts';
import { noteServerDate } from './server-clock.ts';

export interface CallOptions {
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** the caller shows every error itself; sessions still end */
  readonly quiet?: boolean | undefined;
  /** what the caller shows itself, at a field for instance */
  readonly owns?: readonly Owned[] | undefined;
  /** lets the request outlive the page */
  readonly keepalive?: boolean | undefined;
}

/** The input may be left out where the endpoint takes none; the key may not where it is idempotent. */
export type CallArguments<E extends Endpoint> = E extends { readonly idempotent: true }
  ? [input: Input<E>, options: CallOptions & { readonly idempotencyKey: string }]
  : unknown extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

const settings = { base: '', timeoutMs: requestTimeoutMs };

/** Where the API is, when it is not beside the page, and after how many milliseconds a call is given up. */
export function configureApi(change: Partial<typeof settings>): void {
  Object.assign(settings, change);
}

/**
 * Calls the API and answers with the parsed result. Throws `ApiError`, after what spec section 8 asks for has been
 * done about it (a toast, the end of the session, another page).
 */
export async function call<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<Result<E>> {
  const [input, options = {}] = rest;
  const token = getSession()?.token ?? null;
  try {
    // Input<E> is `{ params, query, body }`, as far as the endpoint has them; the type cannot say so generically.
    const answer = await exchange(endpoint, (input ?? {}) as Parts, options, token);
    if (isStale(token)) throw stale(endpoint);
    return open(endpoint, answer);
  } catch (thrown) {
    const error = isStale(token) ? stale(endpoint) : toApiError(endpoint, thrown);
    const { reads, name } = endpoint;
    perform(decide(error, { scene: currentScene().scene, reads, name, quiet: options.quiet, owns: options.owns }), error);
    throw error;
  }
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** Reads are tried again, because nobody is charged for a read; writes are sent once. */
const patience = {
  limit: 2,
  methods: ['get', 'post'] as ('get' | 'post')[],
  statusCodes: [500, 502, 503, 504],
  backoffLimit: 3000,
  maxRetryAfter: 3000,
  jitter: true,
};

async function exchange(endpoint: Endpoint, parts: Parts, options: CallOptions, token: string | null): Promise<Answer> {
  let sentAt = Date.now();
  const fresh = endpoint.method === 'POST' || endpoint.access === 'customer';
  // A GET that anyone may make can come out of a cache with the date of long ago.
  const note = (response: KyResponse) => {
    if (fresh) noteServerDate(response.headers.get('Date'), sentAt, Date.now());
  };
  const sent = ky(settings.base + requestUrl(endpoint, parts), {
    method: endpoint.method,
    headers: requestHeaders(token, options.idempotencyKey),
    timeout: settings.timeoutMs,
    retry: endpoint.reads ? patience : { limit: 0 },
    throwHttpErrors: (status) => endpoint.reads && status >= 500,
    hooks: { beforeRetry: [() => void (sentAt = Date.now())], afterResponse: [({ response }) => note(response)] },
    ...(parts.body === undefined ? {} : { json: parts.body }),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  });
  try {
    const { status } = await sent;
    return { status, json: parseJson(await sent.text()) };
  } catch (error) {
    if (!isHTTPError(error)) throw error;
    return { status: error.response.status, json: typeof error.data === 'string' ? parseJson(error.data) : error.data };
  }
}

/** The envelope rule: success is `code === 0` without `errCode`, on a status that is no failure. */
function open<E extends Endpoint>(endpoint: E, { status, json }: Answer): Result<E> {
  const envelope = v.safeParse(envelopeSchema, json);
  const ok = status >= 200 && status < 300;
  if (!envelope.success) throw new ApiError(ok ? 'malformed' : 'http', endpoint.name, { status });
  const { params, traceId, [endpoint.payload]: payload } = envelope.output;
  const code = refusalCode(envelope.output);
  if (code !== undefined) throw new ApiError('refused', endpoint.name, { code, params, status, traceId });
  if (!ok) throw new ApiError('http', endpoint.name, { status, traceId });
  const result = v.safeParse(endpoint.result, payload ?? {});
  if (!result.success) throw new ApiError('malformed', endpoint.name, { status, traceId });
  // `endpoint.result` is E's own schema; safeParse only sees its constraint.
  return result.output as Result<E>;
}

/** Asked with a session that this tab no longer has: the answer belongs to nobody here. */
function isStale(token: string | null): boolean {
  return token !== null && token !== heldToken();
}

function stale(endpoint: Endpoint): ApiError {
  return new ApiError('network', endpoint.name, { lost: 'stale' });
}

function toApiError(endpoint: Endpoint, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const aborted = thrown instanceof Error && thrown.name === 'AbortError';
  const lost = isTimeoutError(thrown) ? 'timeout' : aborted ? 'aborted' : 'unreachable';
  return new ApiError('network', endpoint.name, { lost, cause: thrown });
}
