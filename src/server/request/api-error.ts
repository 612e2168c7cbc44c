import { errorEntry, type ErrorCode } from '../../contract/error-codes.ts';
import type { RefusalParams } from '../../contract/envelope.ts';

/** An answer that is not a success, meant for the caller: a code of the catalogue and values, never prose. */
export class ApiRefusal extends Error {
  readonly code: ErrorCode;
  readonly params: RefusalParams | undefined;
  readonly status: number;
  /** as it is called on the wire, for callers in process (contract, `PageCall`) */
  readonly errCode: ErrorCode;

  constructor(code: ErrorCode, params?: RefusalParams, status?: number) {
    super(`refused with ${code}`);
    this.name = 'ApiRefusal';
    this.code = code;
    this.errCode = code;
    this.params = params;
    this.status = status ?? errorEntry(code)?.status ?? 500;
  }
}

/** When whoever is refused for want of a database, or of room in a queue, may try again. */
const busyWaitSeconds = 3;

/** -24040: what the request needs cannot be had now, and can be in a moment. */
export function busy(): ApiRefusal {
  return new ApiRefusal(-24040, { waitSeconds: busyWaitSeconds });
}

/** Ends the request with a code of the catalogue, which tells the HTTP status where nothing else does. */
export function refuse(code: ErrorCode, params?: RefusalParams, status?: number): never {
  throw new ApiRefusal(code, params, status);
}

/** For `catch`, where a refusal is answered in another form than the API's; any other error is thrown again. */
export function refusalOf(error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error;
  throw error;
}

/** Ends the request because this part of it does not fit: 5000, with the part's name, HTTP 400 unless told otherwise. */
export function refuseInput(field: string, status = 400): never {
  throw new ApiRefusal(5000, { field }, status);
}
