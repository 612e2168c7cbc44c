import ky, { isHTTPError, isTimeoutError } from 'ky';
import * as v from 'valibot';
import { addressOf, type Endpoint, type Parts } from '#contract/endpoint.ts';
import { envelopeSchema } from '#contract/envelope.ts';
import { requestTimeoutMs } from '#contract/limits.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { copyBefore, isPage, recordAnswer, anonymousCopy } from './network/answers.ts';
import { recordNetworkFailure } from './network/network-state.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';
import { ApiError } from './api-error.ts';
import type { QueryFunctionContext } from '@tanstack/react-query';
import type { HandledError } from './decide.ts';
import { updateServerClock } from '#web/platform/session/server-clock.ts';
import { clientType } from '#contract/scene.ts';
import { fingerprint } from './fingerprint.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';

export interface ExchangeOptions {
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** lets the request outlive the page */
  readonly keepalive?: boolean | undefined;
}

/** What a caller of the API says beside the input. */
export interface CallOptions extends ExchangeOptions {
  /**
   * What the call is made for. While there is nothing to show of it, a saved copy may answer for a shop that is slow;
   * it gets the shop's own answer when that comes.
   */
  readonly query?: Pick<QueryFunctionContext, 'client' | 'queryKey'> | undefined;
  /** the caller shows every error itself; sessions still end */
  readonly quiet?: boolean | undefined;
  /** what the caller shows itself, at a field for instance */
  readonly callerShows?: readonly HandledError[] | undefined;
}

/** What a proxy says without the server behind it, and the server without its database: no network, for a read. */
export const isAwayStatus = (status: number): boolean => status > 501 && status < 505;

/** What came back, whatever it is: `json` is undefined when it cannot be read. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** a page in the place of an answer */
  readonly html: boolean;
}

const settings = { base: '', timeoutMs: requestTimeoutMs };

/** Where the API is, when it is not beside the page, and after how many milliseconds a call is given up. */
export function configureApi(change: Partial<typeof settings>): void {
  Object.assign(settings, change);
}

/** Reads are tried again, because nobody is charged for a read; writes are sent once. */
const patience = {
  limit: 2,
  // ky wants a list that it could change
  methods: ['get', 'post'] as ('get' | 'post')[],
  statusCodes: [500, 502, 503, 504],
  backoffLimit: 3000,
  maxRetryAfter: 3000,
  jitter: true,
};

interface Asking extends ExchangeOptions {
  /** where a saved copy may answer first: takes the shop's own answer */
  readonly hear?: ((asked: Promise<Answer>) => void) | undefined;
}

/** Sends a call and brings its answer, or throws an `ApiError` of kind network. */
export async function exchange(
  endpoint: Endpoint,
  parts: Parts,
  token: string | null,
  { hear, ...options }: Asking,
): Promise<Answer> {
  const url = addressOf(endpoint, parts);
  const asked = ask(endpoint, url, parts, token, options);
  // The worker does not touch requests with a token, so a customer gets the copy that a visitor would have got.
  const shared = endpoint.method === 'GET' && endpoint.access !== 'customer';
  if (!shared) return asked;
  const sooner = hear && (await copyBefore(asked, url));
  if (sooner) {
    hear(asked);
    return opened(url, sooner);
  }
  const outcome = await asked.catch(apiError);
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
  return { status: copy.status, json: parseJson(await copy.text()), html: false };
}

/** A proxy that says that the shop is away, or the login page of a Wi-Fi. The shop itself says why in an envelope. */
function tellsNothing({ status, html, json }: Answer): boolean {
  return isAwayStatus(status) ? !v.is(envelopeSchema, json) : html && status < 300;
}

/** The shop's answer. For a read, an answer of somebody in its place is none. */
async function ask(
  endpoint: Endpoint,
  url: string,
  parts: Parts,
  token: string | null,
  options: ExchangeOptions,
): Promise<Answer> {
  try {
    const answer = await send(endpoint, url, parts, token, options);
    if (!endpoint.reads || !tellsNothing(answer)) return answer;
    throw new Error(`no answer of the shop, status ${answer.status}`);
  } catch (thrown) {
    const error = lostError(endpoint, thrown);
    if (error.lost !== 'aborted') recordNetworkFailure();
    throw error;
  }
}

async function send(
  endpoint: Endpoint,
  url: string,
  { body, file }: Parts,
  token: string | null,
  options: ExchangeOptions,
): Promise<Answer> {
  let sentAt = Date.now();
  const note = (response: Response) => {
    const { headers } = response;
    recordAnswer(url, response);
    // What anyone may GET can come out of a cache, with the date of long ago.
    const fresh = endpoint.method === 'POST' || endpoint.access === 'customer';
    if (fresh && !headers.has(savedAtHeader)) updateServerClock(headers.get('Date'), sentAt, Date.now());
  };
  const sent = ky(settings.base + url, {
    method: endpoint.method,
    headers: requestHeaders(token, options.idempotencyKey),
    timeout: settings.timeoutMs,
    retry: endpoint.reads ? patience : { limit: 0 },
    throwHttpErrors: (status) => endpoint.reads && status >= 500,
    hooks: { beforeRetry: [() => void (sentAt = Date.now())], afterResponse: [({ response }) => note(response)] },
    ...(body === undefined ? {} : { json: body }),
    // what the contract calls a file is a Blob wherever this runs
    ...(file === undefined ? {} : { body: file as Blob }),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  });
  try {
    const { status, headers } = await sent;
    return { status, json: parseJson(await sent.text()), html: isPage(headers) };
  } catch (error) {
    if (!isHTTPError(error)) throw error;
    const { data, response } = error;
    const json: unknown = typeof data === 'string' ? parseJson(data) : data;
    return { status: response.status, json, html: isPage(response.headers) };
  }
}

function lostError(endpoint: Endpoint, thrown: unknown): ApiError {
  const aborted = thrown instanceof Error && thrown.name === 'AbortError';
  const lost = isTimeoutError(thrown) ? 'timeout' : aborted ? 'aborted' : 'unreachable';
  return new ApiError('network', endpoint.name, { lost, cause: thrown });
}

/** The five headers of every call, and the key of a purchase intent where there is one. */
export function requestHeaders(token: string | null, idempotencyKey?: string): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: token ?? 'null',
    Language: activeLanguage(),
    'Client-Type': currentClientType(),
    Scene: currentScene().scene,
    fingerprint: fingerprint(),
    ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
  };
}

/** Asked again each time, because windows are resized. */
export function currentClientType() {
  return typeof window === 'undefined' ? 'WEB' : clientType(navigator.userAgent, window.innerWidth);
}
