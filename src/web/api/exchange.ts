import ky, { isHTTPError, isTimeoutError } from 'ky';
import type { Endpoint } from '../../contract/endpoint.ts';
import { requestTimeoutMs } from '../../contract/limits.ts';
import { savedAtHeader } from '../../contract/worker.ts';
import { noteFailure } from '../pwa/network-state.ts';
import { noteAnswer, visitorsCopy } from '../pwa/saved-copies.ts';
import { parseJson } from '../storage/stored.ts';
import { ApiError } from './api-error.ts';
import { requestHeaders } from './request-headers.ts';
import { requestUrl, type Parts } from './request-url.ts';
import { noteServerDate } from './server-clock.ts';

export interface ExchangeOptions {
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** lets the request outlive the page */
  readonly keepalive?: boolean | undefined;
}

/** What came back, whatever it is: `json` is undefined when it cannot be read. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
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

/** Sends a call and brings its answer, or throws an `ApiError` of kind network. */
export async function exchange(
  endpoint: Endpoint,
  parts: Parts,
  token: string | null,
  options: ExchangeOptions,
): Promise<Answer> {
  const url = requestUrl(endpoint, parts);
  try {
    return await send(endpoint, url, parts, token, options);
  } catch (thrown) {
    const error = lostError(endpoint, thrown);
    if (error.lost !== 'aborted') noteFailure();
    // The worker does not touch requests with a token, so a customer gets the copy that a visitor would have got.
    const shared = token !== null && endpoint.method === 'GET' && endpoint.access !== 'customer';
    const copy = shared && error.lost !== 'aborted' ? await visitorsCopy(url) : undefined;
    if (!copy) throw error;
    noteAnswer(url, copy.headers);
    return { status: copy.status, json: parseJson(await copy.text()) };
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
  const note = ({ headers }: Response) => {
    noteAnswer(url, headers);
    // What anyone may GET can come out of a cache, with the date of long ago.
    const fresh = endpoint.method === 'POST' || endpoint.access === 'customer';
    if (fresh && !headers.has(savedAtHeader)) noteServerDate(headers.get('Date'), sentAt, Date.now());
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
    const { status } = await sent;
    return { status, json: parseJson(await sent.text()) };
  } catch (error) {
    if (!isHTTPError(error)) throw error;
    return { status: error.response.status, json: typeof error.data === 'string' ? parseJson(error.data) : error.data };
  }
}

function lostError(endpoint: Endpoint, thrown: unknown): ApiError {
  const aborted = thrown instanceof Error && thrown.name === 'AbortError';
  const lost = isTimeoutError(thrown) ? 'timeout' : aborted ? 'aborted' : 'unreachable';
  return new ApiError('network', endpoint.name, { lost, cause: thrown });
}
