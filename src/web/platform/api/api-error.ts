import type { RefusalParams } from '#contract/envelope.ts';
import type { ErrorEntry, ErrorName } from '#contract/error-codes.ts';

/**
 * - `refused`: the server answered with a code (`refused-error.ts`); `code`, `params`, `traceId`
 * - `network`: no answer, or one that nobody waits for any more; `cause` tells which
 * - `http`: a failing status without an envelope (a proxy, a crash); `status`
 * - `malformed`: a success that cannot be read: HTML, cut JSON, a shape that is not the contract's
 */
export type ApiErrorKind = 'refused' | 'network' | 'http' | 'malformed';

/** `stale`: it was asked with a session that has ended since, so whatever it says is not for this customer. */
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

/** The one error that `call` throws. It never carries prose of the server, nor anything that was sent. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly code: number | undefined;
  /** the error of the code; undefined for a code in no table, and for other kinds */
  readonly reason: ErrorName | undefined;
  /** what the table of errors says of the code */
  readonly entry: ErrorEntry | undefined;
  readonly params: RefusalParams;
  readonly status: number | undefined;
  readonly traceId: string | undefined;
  /** how a `network` error came about; also of a refused read whose status says that the service is away */
  readonly lost: NetworkCause | undefined;

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

/** An answer that fits its schema and still makes no sense, such as a puzzle without a solution. */
export const unreadableAnswer = ({ name }: { readonly name: string }): CallError => new ApiError('malformed', name);

/** The error of a call where a query or a promise gives any error; undefined for a fault. */
export const callErrorOf = (error: unknown): CallError | undefined => (error instanceof ApiError ? error : undefined);

/** Whether what was thrown is a refusal of the server with one of these errors. */
export const isRefused = (error: unknown, ...reasons: readonly ErrorName[]): error is ApiError =>
  error instanceof ApiError && error.is(...reasons);

/**
 * Whether the server may have acted all the same: then the outcome is unknown, not a failure. A refusal is an outcome,
 * and so is a status of 400 to 499.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind === 'refused') return false;
  return error.kind !== 'http' || (error.status ?? 500) >= 500;
}

/** Whether the shop could not be asked. For a read that passes, and until then a saved copy is what there is. */
export const isAway = (error: unknown): boolean => error instanceof ApiError && error.lost !== undefined;
