import { errorCode, type ErrorName } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import { ApiRefusal, busy } from '#server/runtime/request/api-error.ts';
import { isUnavailable } from '#server/db/driver-results.ts';

/** Headers of every API response. A response is not a document, so it may not load or frame anything. */
const apiHeaders = {
  'content-type': 'application/json; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Responses depend on the session and the language, so caches must separate them. */
const vary = 'Authorization, Language';
const sharedForSeconds = 15;

/** A success envelope around a payload that is already JSON. */
export function success(payload: { key: 'data' | 'result'; json: string }, traceId: string, shared: boolean): Response {
  return new Response(`{"code":0,"${payload.key}":${payload.json},"traceId":"${traceId}"}`, {
    headers: {
      ...apiHeaders,
      'cache-control': shared ? `public, max-age=${sharedForSeconds}` : 'no-store',
      vary,
      'x-request-id': traceId,
    },
  });
}

interface Refusal {
  readonly error: ErrorName;
  readonly params?: RefusalParams | undefined;
  readonly status: number;
}

/** A refusal envelope: the error's code, its parameters, and the trace id. No message text. */
export function refusal({ error, params, status }: Refusal, traceId: string): Response {
  const code = errorCode(error);
  const wait = params?.waitSeconds;
  return new Response(JSON.stringify({ code, errCode: code, ...(params && { params }), traceId }), {
    status,
    headers: {
      ...apiHeaders,
      'cache-control': 'no-store',
      'x-request-id': traceId,
      ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait)) }),
    },
  });
}

/**
 * Converts a thrown value: a refusal stays as it is, an unavailable database becomes `serviceBusy`, anything else
 * `systemError` without its text.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiRefusal) return error;
  return isUnavailable(error) ? busy() : { error: 'systemError', status: 500 };
}
