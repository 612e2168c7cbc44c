import type { CommonError } from '#contract/endpoint.ts';
import { errorCode, errorEntry, type ErrorName } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';

/** A refusal for the caller: an error of the catalogue and parameters, no message text. */
export class ApiRefusal extends Error {
  readonly error: ErrorName;
  readonly params: RefusalParams | undefined;
  readonly status: number;
  /** the error's code on the wire, for callers in process (contract, `PageCall`) */
  readonly errCode: number;

  constructor(error: ErrorName, params?: RefusalParams, status?: number) {
    super(`refused with ${error}`);
    this.name = 'ApiRefusal';
    this.error = error;
    this.errCode = errorCode(error);
    this.params = params;
    this.status = status ?? errorEntry(error)?.status ?? 500;
  }
}

/**
 * After how many seconds a request may be retried that was refused because the database or a queue was not available.
 */
const busyWaitSeconds = 3;

/** `serviceBusy`: a resource is temporarily unavailable. */
export function createBusyRefusal(): ApiRefusal {
  return new ApiRefusal('serviceBusy', { waitSeconds: busyWaitSeconds });
}

/**
 * Ends the request with an error of the catalogue, which defines the HTTP status unless `status` does. `Errors` are
 * those that may be raised: for a handler its endpoint's `errors`, for a function the ones that it raises, so that a
 * handler that calls it compiles only if its endpoint lists them. Any call may be refused with `CommonError`.
 */
export type Refuse<Errors extends ErrorName = never> = (
  error: Errors | CommonError,
  params?: RefusalParams,
  status?: number,
) => never;

/** For the transport, where a request has no endpoint yet; handlers and the functions they call have a `Refuse`. */
export const throwRefusal: Refuse<ErrorName> = (error, params, status) => {
  throw new ApiRefusal(error, params, status);
};

/** Ends the request with an error that is common to all calls, so that no `Refuse` is needed. */
export const refuseCommon: Refuse = throwRefusal;

/** For `catch`, where a refusal becomes another format than the API's; any other error is rethrown. */
export function refusalOf(error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error;
  throw error;
}

/**
 * Ends the request because a part of it is invalid: `invalidRequest` with the part's name, by default with HTTP 400.
 */
export function refuseInput(field: string, status = 400): never {
  throw new ApiRefusal('invalidRequest', { field }, status);
}
