import * as v from 'valibot';
import type { Endpoint, Result } from '#contract/endpoint.ts';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { ApiError } from './api-error.ts';
import { isAwayStatus, type Answer } from './exchange.ts';
import { refusedError } from './refused-error.ts';

/** The envelope rule: success is `code === 0` without `errCode`, with a status from 200 to 299. */
export function openAnswer<E extends Endpoint>(endpoint: E, { status, json }: Answer): Result<E> {
  const envelope = v.safeParse(envelopeSchema, json);
  const ok = status >= 200 && status < 300;
  if (!envelope.success) throw new ApiError(ok ? 'malformed' : 'http', endpoint.name, { status });
  const { params, traceId, [endpoint.payload]: payload } = envelope.output;
  const code = refusalCode(envelope.output);
  if (code !== undefined) {
    const lost = endpoint.reads && isAwayStatus(status) ? 'unreachable' : undefined;
    throw refusedError(endpoint.name, { code, params, status, traceId, lost });
  }
  if (!ok) throw new ApiError('http', endpoint.name, { status, traceId });
  const result = v.safeParse(endpoint.result, payload ?? {});
  if (!result.success) throw new ApiError('malformed', endpoint.name, { status, traceId });
  return result.output;
}
