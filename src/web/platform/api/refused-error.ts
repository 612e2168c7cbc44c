import type { RefusalParams } from '#contract/envelope.ts';
import { errorEntry, errorNameOf } from '#contract/error-codes.ts';
import { ApiError, type NetworkCause } from './api-error.ts';

interface Refusal {
  readonly code: number;
  readonly params?: RefusalParams | undefined;
  readonly status?: number | undefined;
  readonly traceId?: string | undefined;
  readonly lost?: NetworkCause | undefined;
}

/** The error of a refused call. Separate from `ApiError`, because the table of errors is not needed before a call. */
export function refusedError(endpoint: string, refusal: Refusal): ApiError {
  const reason = errorNameOf(refusal.code);
  return new ApiError('refused', endpoint, { ...refusal, reason, entry: errorEntry(reason) });
}
