import type * as v from 'valibot';
import type { ErrorName } from './error-codes.ts';

/** Every runtime has `URLSearchParams`; the contract is compiled without any runtime's library. */
declare const URLSearchParams: new (pairs: readonly (readonly string[])[]) => { toString(): string };

/** Errors that every call can return; endpoints do not list them. */
export type CommonError = 'invalidRequest' | 'invalidToken' | 'staleProof' | 'serviceBusy' | 'systemError';

type Schema = v.GenericSchema<unknown, unknown>;

/** Who may call: everyone, everyone with a token refining the answer, or logged-in customers only. */
type Access = 'public' | 'optional' | 'customer';

/**
 * A call of the API as plain data. `path` may contain `{name}` segments, described by `params`.
 *
 * - `payload` names the envelope key of the result.
 * - `reads`: the call changes nothing and can be repeated at any time, even as a POST.
 * - `file`: the body is one file of one of these media types.
 * - `ownerOnly` refuses sessions of TV devices (`unauthorized`), which may watch and buy but not change the account.
 * - `opensSession`: the result contains a session, which is bound to the key of the request's DPoP proof, if it has one.
 * - `idempotent`: the call requires an `Idempotency-Key` header; `sometimes`: depending on its input.
 * - `errors` are the errors to expect besides `CommonError`.
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
  readonly opensSession?: true;
  readonly idempotent?: true | 'sometimes';
  readonly errors: readonly ErrorName[];
}

type Defaulted = 'access' | 'payload' | 'reads' | 'errors';
type Definition = Omit<Endpoint, Defaulted> & Partial<Pick<Endpoint, Defaulted>>;

/** Without `errors`, an endpoint lists none; `Endpoint['errors']` would mean any. */
type Described<E extends Definition> = E &
  Pick<Endpoint, 'access' | 'payload' | 'reads'> & {
    readonly errors: E extends { readonly errors: infer Errors extends readonly ErrorName[] } ? Errors : readonly [];
  };

/** The errors that an endpoint lists. */
export type ErrorsOf<E extends Pick<Endpoint, 'errors'>> = E['errors'][number];

/** Describes a call. By default a GET reads and a POST writes. */
// @__NO_SIDE_EFFECTS__
export function endpoint<const E extends Definition>(definition: E): Described<E> {
  const defaults = { access: 'public', payload: 'data', reads: definition.method === 'GET', errors: [] } as const;
  // as: the compiler does not evaluate a conditional type on `E`
  return { ...defaults, ...definition } as Described<E>;
}

type Part<E, K extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> = E extends {
  readonly [P in K]: infer S extends Schema;
}
  ? { readonly [P in K]: Side extends 'in' ? v.InferInput<S> : v.InferOutput<S> }
  : unknown;

/** The only part that is not JSON. */
type FilePart<E, File> = E extends { readonly file: object } ? { readonly file: File } : unknown;

/** The input of a call: those of `{ params, query, body, file }` that the endpoint has. */
export type Input<E extends Endpoint> = Part<E, 'params', 'in'> &
  Part<E, 'query', 'in'> &
  Part<E, 'body', 'in'> &
  FilePart<E, SentFile>;

/** What a handler receives after parsing. */
export type Parsed<E extends Endpoint> = Part<E, 'params', 'out'> &
  Part<E, 'query', 'out'> &
  Part<E, 'body', 'out'> &
  FilePart<E, UploadedFile>;

/** The input of a call without its endpoint's types. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: unknown;
}

type Addressed = Pick<Endpoint, 'path' | 'params' | 'query'>;
type AddressInput<E> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'>;
type AddressArguments<E> = unknown extends AddressInput<E> ? [input?: Parts] : [input: AddressInput<E>];

/** Path and query of a call. Each value is one encoded segment; undefined values are left out. */
export function addressOf<E extends Addressed>({ path }: E, ...[input = {}]: AddressArguments<E>): string {
  const { params = {}, query = {} } = input as Parts; // callers pass only what the endpoint has a schema for
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plainText(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, plainText(value)]],
  );
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}

/** Schemas of paths and queries contain plain values only. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('Not a plain value');
}

/** Whether `pathname` is an address of this call, for any parameters. */
export function isAddressOf({ path }: Pick<Endpoint, 'path'>, pathname: string): boolean {
  const segments = path.split('/');
  const actual = pathname.split('/');
  const fits = (part: string, index: number) => (part.startsWith('{') ? actual[index] !== '' : actual[index] === part);
  return segments.length === actual.length && segments.every(fits);
}

/** A file to send: the part of `Blob` that every runtime has. */
interface SentFile {
  readonly type: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A received file: its type is verified by its first bytes, its size limited. */
export interface UploadedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What a caller receives. */
export type Result<E extends Endpoint> = v.InferOutput<E['result']>;

export type Payload<E extends Endpoint> = v.InferInput<E['result']>;
