import ky, { isHTTPError, isTimeoutError } from 'ky';
import * as v from 'valibot';
import { addressOf, type Endpoint, type Parts } from '#contract/endpoint.ts';
import { envelopeSchema } from '#contract/envelope.ts';
import { requestTimeoutMs } from '#contract/limits.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { readCopyIfLate, isPage, recordAnswer, anonymousCopy } from './network/answers.ts';
import { recordNetworkFailure } from './network/network-state.ts';
import { isDebugging } from '#web/platform/session/storage/debug-key.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';
import { ApiError } from './api-error.ts';
import type { QueryFunctionContext } from '@tanstack/react-query';
import type { HandledError } from './decide.ts';
import { bindsSessions, isBoundToken } from '#web/platform/session/session.ts';
import { updateServerClock } from '#web/platform/session/server-clock.ts';
import { clientType } from '#contract/scene.ts';
import { fingerprint } from './fingerprint.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';

interface ExchangeOptions {
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** lets the request continue after the page is left */
  readonly keepalive?: boolean | undefined;
}

/** The options of a call, beside its input. */
export interface CallOptions extends ExchangeOptions {
  /**
   * The query that the call is for. While the query has no data, a saved copy may be returned when the server is slow;
   * the query receives the server's answer when it arrives.
   */
  readonly query?: Pick<QueryFunctionContext, 'client' | 'queryKey'> | undefined;
  /** the caller shows every error itself; sessions still end */
  readonly quiet?: boolean | undefined;
  /** errors that the caller shows itself, at a field for instance */
  readonly shownErrors?: readonly HandledError[] | undefined;
}

/**
 * Sent by a proxy that cannot reach the server, and by a server without its database. A read treats these as a network
 * error.
 */
export const isAwayStatus = (status: number): boolean => status > 501 && status < 505;

/** The response as it arrived; `json` is undefined when it cannot be parsed. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** whether it is an HTML page */
  readonly html: boolean;
  /** its content type, without parameters */
  readonly type: string;
}

const settings = { base: '', timeoutMs: requestTimeoutMs };

/** Sets the API's base URL, where it differs from the page's origin, and the timeout of a call in milliseconds. */
export function configureApi(change: Partial<typeof settings>): void {
  Object.assign(settings, change);
}

/** Reads are retried, because a read charges no customer; writes are sent once. */
const retryPolicy = {
  limit: 2,
  // as: ky's type requires a mutable list
  methods: ['get', 'post'] as ('get' | 'post')[],
  statusCodes: [500, 502, 503, 504],
  backoffLimit: 3000,
  maxRetryAfter: 3000,
  jitter: true,
};

interface ExchangeContext extends ExchangeOptions {
  /** called with the server's pending answer where a saved copy was returned first */
  readonly onServerAnswer?: ((pending: Promise<Answer>) => void) | undefined;
}

/** Sends a call and returns its answer, or throws an `ApiError` of kind network. */
export async function exchange(
  endpoint: Endpoint,
  parts: Parts,
  token: string | null,
  { onServerAnswer, ...options }: ExchangeContext,
): Promise<Answer> {
  const url = addressOf(endpoint, parts);
  const pending = request(endpoint, url, parts, token, options);
  // The worker ignores requests with a token, so a customer gets the same copy as a visitor.
  const shared = endpoint.method === 'GET' && endpoint.access !== 'customer';
  if (!shared) return pending;
  const copyFirst = onServerAnswer && (await readCopyIfLate(pending, url));
  if (copyFirst) {
    onServerAnswer(pending);
    return opened(url, copyFirst);
  }
  const outcome = await pending.catch(apiError);
  const lost = outcome instanceof ApiError;
  const away = lost ? outcome.lost !== 'aborted' : isAwayStatus(outcome.status);
  const copy = away ? await anonymousCopy(url) : undefined;
  if (copy) return opened(url, copy);
  if (lost) throw outcome;
  return outcome;
}

function apiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  throw thrown;
}

async function opened(url: string, copy: Response): Promise<Answer> {
  recordAnswer(url, copy);
  return { status: copy.status, json: parseJson(await copy.text()), html: false, type: typeOf(copy.headers) };
}

const typeOf = (headers: Headers) => headers.get('content-type')?.split(';')[0] ?? '';

/** A proxy's page that the server is unavailable, or the login page of a Wi-Fi. The server itself sends an envelope. */
function isFromIntermediary({ status, html, json }: Answer): boolean {
  return isAwayStatus(status) ? !v.is(envelopeSchema, json) : html && status < 300;
}

/** The server's answer. For a read, an answer that something else sent in its place counts as a network error. */
async function request(
  endpoint: Endpoint,
  url: string,
  parts: Parts,
  token: string | null,
  options: ExchangeOptions,
): Promise<Answer> {
  try {
    const answer = await sendWithProof(endpoint, url, token, (proof) =>
      send(endpoint, url, parts, { token, proof }, options),
    );
    // the developer of a backend sees what was sent instead of an offline page
    if (!endpoint.reads || isDebugging() || !isFromIntermediary(answer)) return answer;
    throw new Error(`no answer of the shop, status ${answer.status}`);
  } catch (thrown) {
    const error = lostError(endpoint, thrown);
    if (error.lost !== 'aborted') recordNetworkFailure();
    throw error;
  }
}

/** Adds a DPoP proof if the token is bound to the browser's key, or a session of the result should be. */
async function sendWithProof(
  { method, access, opensSession }: Endpoint,
  url: string,
  token: string | null,
  sendWith: (proof?: string) => Promise<Answer>,
): Promise<Answer> {
  const isBound = access !== 'public' && isBoundToken(token);
  if (!isBound && !(opensSession && bindsSessions())) return sendWith();
  const { sendProven } = await import('./dpop.ts');
  return sendProven({ method, url: settings.base + url, token: isBound ? token : null }, sendWith);
}

interface Credentials {
  readonly token: string | null;
  readonly proof: string | undefined;
}

async function send(
  endpoint: Endpoint,
  url: string,
  { body, file }: Parts,
  credentials: Credentials,
  options: ExchangeOptions,
): Promise<Answer> {
  let sentAt = Date.now();
  const record = (response: Response) => {
    const { headers } = response;
    recordAnswer(url, response);
    // A public GET may come from a cache, with an old date.
    const fresh = endpoint.method === 'POST' || endpoint.access === 'customer' || response.status === 401;
    if (fresh && !headers.has(savedAtHeader)) updateServerClock(headers.get('Date'), sentAt, Date.now());
  };
  const sent = ky(settings.base + url, {
    method: endpoint.method,
    headers: requestHeaders(credentials, options.idempotencyKey),
    timeout: settings.timeoutMs,
    retry: endpoint.reads ? retryPolicy : { limit: 0 },
    throwHttpErrors: (status) => endpoint.reads && status >= 500,
    hooks: { beforeRetry: [() => void (sentAt = Date.now())], afterResponse: [({ response }) => record(response)] },
    ...(body === undefined ? {} : { json: body }),
    // as: the contract's file type is a Blob at runtime
    ...(file === undefined ? {} : { body: file as Blob }),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  });
  try {
    const { status, headers } = await sent;
    return { status, json: parseJson(await sent.text()), html: isPage(headers), type: typeOf(headers) };
  } catch (error) {
    if (!isHTTPError(error)) throw error;
    const { data, response } = error;
    const json: unknown = typeof data === 'string' ? parseJson(data) : data;
    return { status: response.status, json, html: isPage(response.headers), type: typeOf(response.headers) };
  }
}

function lostError(endpoint: Endpoint, thrown: unknown): ApiError {
  const aborted = thrown instanceof Error && thrown.name === 'AbortError';
  const lost = isTimeoutError(thrown) ? 'timeout' : aborted ? 'aborted' : 'unreachable';
  return new ApiError('network', endpoint.name, { lost, cause: thrown });
}

/** The five headers of every call, and a proof and the key of a purchase intent where there is one. */
function requestHeaders({ token, proof }: Credentials, idempotencyKey?: string): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: token ?? 'null',
    Language: activeLanguage(),
    'Client-Type': currentClientType(),
    Scene: currentScene().scene,
    fingerprint: fingerprint(),
    ...(proof ? { DPoP: proof } : {}),
    ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
  };
}

/** Computed for each call, because windows are resized. */
export function currentClientType() {
  return typeof window === 'undefined' ? 'WEB' : clientType(navigator.userAgent, window.innerWidth);
}
