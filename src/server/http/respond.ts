import { errorCode, type ErrorName } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import { ApiRefusal, busy } from '#server/runtime/request/api-error.ts';
import { isUnavailable } from '#server/db/driver-results.ts';

/** What every answer of the API carries. Nothing of it is a document, so nothing of it may load or frame anything. */
const apiHeaders = {
  'content-type': 'application/json; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Who is signed in and in which language changes these answers, so a cache must tell them apart. */
const vary = 'Authorization, Language';
const sharedForSeconds = 15;

/** An envelope of success around a payload that is JSON already. */
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

/** An envelope of refusal: the error's code, values that help, and the trace id. Never prose. */
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
 * What a thrown value becomes: a refusal as it is, `serviceBusy` where the database cannot work now, anything else `systemError`
 * without a word of its text.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiRefusal) return error;
  return isUnavailable(error) ? busy() : { error: 'systemError', status: 500 };
}
