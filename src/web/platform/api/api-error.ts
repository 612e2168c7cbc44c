import type { Elements } from '#web/ui/elements.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import type { ErrorEntry, ErrorName } from '#contract/error-codes.ts';

/**
 * What failed, and the details that it has:
 *
 * - `refused`: the server answered with a code; `code`, `params`, `traceId`
 * - `network`: no answer, or the answer is no longer needed; `lost` has the cause
 * - `http`: a failing status without an envelope (a proxy, a crash); `status`
 * - `malformed`: a success that cannot be read: HTML, cut JSON, or a shape that differs from the contract
 */
export type ApiErrorKind = 'refused' | 'network' | 'http' | 'malformed';

/** `stale`: it was sent with a session that has ended since, so the answer is not for this customer. */
export type NetworkCause = 'unreachable' | 'timeout' | 'aborted' | 'stale';

interface Details {
  readonly code?: number | undefined;
  readonly reason?: ErrorName | undefined;
  readonly entry?: ErrorEntry | undefined;
  readonly params?: RefusalParams | undefined;
  readonly status?: number | undefined;
  readonly traceId?: string | undefined;
  readonly lost?: NetworkCause | undefined;
  readonly cause?: unknown;
}

/** The one error that `call` throws. It never contains text of the server, or anything that was sent. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  // `declare`: the constructor sets them, and every first visit loads what is emitted here
  declare readonly kind: ApiErrorKind;
  declare readonly code: number | undefined;
  /** the name of the code; undefined for an unknown code, and for other kinds */
  declare readonly reason: ErrorName | undefined;
  /** the entry of the code in the table of errors */
  declare readonly entry: ErrorEntry | undefined;
  declare readonly params: RefusalParams;
  declare readonly status: number | undefined;
  declare readonly traceId: string | undefined;
  /** the cause of a `network` error; also set for a refused read whose status means that the service is unavailable */
  declare readonly lost: NetworkCause | undefined;
  /** what was wrong with the answer, for the developer of a backend (`contract-report.tsx`) */
  declare report?: Elements;

  constructor(kind: ApiErrorKind, endpoint: string, details: Details = {}) {
    const what = details.code ?? details.status ?? details.lost ?? '';
    super(`${endpoint}: ${kind} ${what}`.trim(), details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.reason = details.reason;
    this.entry = details.entry;
    this.params = details.params ?? {};
    this.status = details.status;
    this.traceId = details.traceId || undefined;
    this.lost = details.lost;
  }

  /** whether the server refused with one of these */
  is(...reasons: readonly ErrorName[]): boolean {
    return reasons.some((one) => one === this.reason);
  }
}

/** An error of a call, for code that shows it. Only `platform` throws and catches it. */
export type CallError = ApiError;

/** For an answer that fits its schema and is still invalid, such as a puzzle without a solution. */
export const unreadableAnswer = ({ name }: { readonly name: string }): CallError => new ApiError('malformed', name);

/** The error of a call, from the error of a query or promise; undefined for a fault. */
export const callErrorOf = (error: unknown): CallError | undefined => (error instanceof ApiError ? error : undefined);

/** Whether the thrown value is a refusal of the server with one of these errors. */
export const isRefused = (error: unknown, ...reasons: readonly ErrorName[]): error is ApiError =>
  error instanceof ApiError && error.is(...reasons);

/**
 * Whether the server may have acted all the same: then the outcome is unknown, not a failure. A refusal is an outcome,
 * and so is a status from 400 to 499.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind === 'refused') return false;
  return error.kind !== 'http' || (error.status ?? 500) >= 500;
}

/** Whether the server could not be reached. For a read that is temporary; a saved copy is shown meanwhile. */
export const isServerUnreachable = (error: unknown): boolean => error instanceof ApiError && error.lost !== undefined;
