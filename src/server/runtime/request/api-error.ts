import type { CommonError } from '#contract/endpoint.ts';
import { errorCode, errorEntry, type ErrorName } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';

/** An answer that is not a success, meant for the caller: an error of the catalogue and values, never prose. */
export class ApiRefusal extends Error {
  readonly error: ErrorName;
  readonly params: RefusalParams | undefined;
  readonly status: number;
  /** as it is called on the wire, for callers in process (contract, `PageCall`) */
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

/** When whoever is refused for want of a database, or of room in a queue, may try again. */
const busyWaitSeconds = 3;

/** `serviceBusy`: what the request needs cannot be had now, and can be in a moment. */
export function busy(): ApiRefusal {
  return new ApiRefusal('serviceBusy', { waitSeconds: busyWaitSeconds });
}

/**
 * Ends the request with an error of the catalogue, which defines the HTTP status unless `status` does. `Errors` are those
 * that may be raised: a handler's are its endpoint's `errors`, and a function's are the ones that it raises, so that a
 * handler which calls it compiles only if its endpoint lists them. Any call may be refused with `CommonError`.
 */
export type Refuse<Errors extends ErrorName = never> = (
  error: Errors | CommonError,
  params?: RefusalParams,
  status?: number,
) => never;

/** For the transport, where a request belongs to no endpoint yet; handlers and what they call have a `Refuse`. */
export const throwRefusal: Refuse<ErrorName> = (error, params, status) => {
  throw new ApiRefusal(error, params, status);
};

/** Ends the request with an error that any call can meet, so that it needs no `Refuse`. */
export const refuseCommon: Refuse = throwRefusal;

/** For `catch`, where a refusal is answered in another form than the API's; any other error is thrown again. */
export function refusalOf(error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error;
  throw error;
}

/** Ends the request because this part of it does not fit: `invalidRequest`, with the part's name, HTTP 400 unless told otherwise. */
export function refuseInput(field: string, status = 400): never {
  throw new ApiRefusal('invalidRequest', { field }, status);
}
