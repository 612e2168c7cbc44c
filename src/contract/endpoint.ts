import type * as v from 'valibot';
import type { ErrorCode } from './error-codes.ts';

type Schema = v.GenericSchema<unknown, unknown>;

/** Who may call: anyone, anyone (a token, when there is one, refines the answer), or the signed-in only. */
export type Access = 'public' | 'optional' | 'customer';

/**
 * A call of the wire as plain data. `path` may hold `{name}` segments, described by `params`.
 *
 * - `payload` names the envelope key that carries the result (spec 7 names some of them).
 * - `reads` marks a call that changes nothing, so it may be repeated by anyone at any time, POST or not.
 * - `file` marks a call whose body is one file, as it is, of one of these media types.
 * - `ownerOnly` refuses the session of a box (-24031), which may watch and buy and decides nothing about the account.
 * - `idempotent` marks a call that needs an `Idempotency-Key` header (decisions, "Paying").
 * - `errors` are the refusals a caller must expect besides the ones any call can meet.
 */
export interface Endpoint {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly file?: { readonly types: readonly string[]; readonly maxBytes: number };
  readonly result: Schema;
  readonly payload: 'data' | 'result';
  readonly reads: boolean;
  readonly ownerOnly?: true;
  readonly idempotent?: true;
  readonly errors: readonly ErrorCode[];
}

type Defaulted = 'access' | 'payload' | 'reads' | 'errors';
type Definition = Omit<Endpoint, Defaulted> & Partial<Pick<Endpoint, Defaulted>>;

/** Describes a call. A GET reads unless told otherwise, a POST writes unless told otherwise. */
// @__NO_SIDE_EFFECTS__
export function endpoint<const E extends Definition>(definition: E): E & Pick<Endpoint, Defaulted> {
  return {
    access: 'public',
    payload: 'data',
    reads: definition.method === 'GET',
    errors: [],
    ...definition,
  };
}

type Part<E, K extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> = E extends {
  readonly [P in K]: infer S extends Schema;
}
  ? { readonly [P in K]: Side extends 'in' ? v.InferInput<S> : v.InferOutput<S> }
  : unknown;

/** The one part that is not JSON. */
type FilePart<E, File> = E extends { readonly file: object } ? { readonly file: File } : unknown;

/** What a caller passes: `{ params, query, body, file }`, as far as the endpoint has them. */
export type Input<E extends Endpoint> = Part<E, 'params', 'in'> &
  Part<E, 'query', 'in'> &
  Part<E, 'body', 'in'> &
  FilePart<E, SentFile>;

/** What a handler receives after every part was parsed. */
export type Parsed<E extends Endpoint> = Part<E, 'params', 'out'> &
  Part<E, 'query', 'out'> &
  Part<E, 'body', 'out'> &
  FilePart<E, UploadedFile>;

/** A file to send: what every runtime calls a Blob. */
export interface SentFile {
  readonly type: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file that has arrived: of an allowed type by its own first bytes, and not too large. */
export interface UploadedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What a caller gets. */
export type Result<E extends Endpoint> = v.InferOutput<E['result']>;

/** What a handler returns. */
export type Payload<E extends Endpoint> = v.InferInput<E['result']>;
