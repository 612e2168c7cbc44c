import type * as v from 'valibot';
import type { ErrorName } from './error-codes.ts';

/** Every runtime has it; the contract is compiled without the library of any. */
declare const URLSearchParams: new (pairs: readonly (readonly string[])[]) => { toString(): string };

/** Any call can be refused with these, so its endpoint need not list them. */
export type CommonError = 'invalidRequest' | 'invalidToken' | 'serviceBusy' | 'systemError';

type Schema = v.GenericSchema<unknown, unknown>;

/** Who may call: anyone, anyone (a token, when there is one, refines the answer), or the signed-in only. */
type Access = 'public' | 'optional' | 'customer';

/**
 * A call of the wire as plain data. `path` may hold `{name}` segments, described by `params`.
 *
 * - `payload` names the envelope key that carries the result.
 * - `reads` marks a call that changes nothing, so it may be repeated by anyone at any time, POST or not.
 * - `file` marks a call whose body is one file, as it is, of one of these media types.
 * - `ownerOnly` refuses the session of a box (`unauthorized`), which may watch and buy and decides nothing about the account.
 * - `idempotent` marks a call that needs an `Idempotency-Key` header; `sometimes`: what it is asked for says
 *   whether it does.
 * - `errors` are the refusals a caller must expect besides the ones any call can meet (`CommonError`).
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
  readonly idempotent?: true | 'sometimes';
  readonly errors: readonly ErrorName[];
}

type Defaulted = 'access' | 'payload' | 'reads' | 'errors';
type Definition = Omit<Endpoint, Defaulted> & Partial<Pick<Endpoint, Defaulted>>;

/** An endpoint that defines no errors has none, where `Endpoint['errors']` would mean any. */
type Described<E extends Definition> = E &
  Pick<Endpoint, 'access' | 'payload' | 'reads'> & {
    readonly errors: E extends { readonly errors: infer Errors extends readonly ErrorName[] } ? Errors : readonly [];
  };

/** The errors that an endpoint lists. */
export type ErrorsOf<E extends Pick<Endpoint, 'errors'>> = E['errors'][number];

/** Describes a call. A GET reads unless told otherwise, a POST writes unless told otherwise. */
// @__NO_SIDE_EFFECTS__
export function endpoint<const E extends Definition>(definition: E): Described<E> {
  const defaults = { access: 'public', payload: 'data', reads: definition.method === 'GET', errors: [] } as const;
  // as: the compiler cannot see through a condition on `E`
  return { ...defaults, ...definition } as Described<E>;
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

/** What a call carries, without its endpoint's types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: unknown;
}

type Addressed = Pick<Endpoint, 'path' | 'params' | 'query'>;
type AddressInput<E> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'>;
type AddressArguments<E> = unknown extends AddressInput<E> ? [input?: Parts] : [input: AddressInput<E>];

/** Path and query of a call. A value is one segment whatever it holds; undefined values are left out. */
export function addressOf<E extends Addressed>({ path }: E, ...[input = {}]: AddressArguments<E>): string {
  const { params = {}, query = {} } = input as Parts; // what an endpoint has no schema for, its callers do not give
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plainText(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, plainText(value)]],
  );
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}

/** The schemas of paths and queries hold plain values only. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('Not a plain value');
}

/** Whether `pathname` is an address of this call, whatever its parameters are. */
export function isAddressOf({ path }: Pick<Endpoint, 'path'>, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.split('/');
  const fits = (part: string, index: number) => (part.startsWith('{') ? given[index] !== '' : given[index] === part);
  return wanted.length === given.length && wanted.every(fits);
}

/** A file to send: what every runtime calls a Blob. */
interface SentFile {
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
