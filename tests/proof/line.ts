import type { Endpoint, Input, Result } from '../../src/contract/endpoint.ts';
import type { Envelope, RefusalParams } from '../../src/contract/envelope.ts';

/** What the API said: a result, or a refusal with its code. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly errCode: number; readonly params: RefusalParams };

/** What goes over a line, as it is on the wire. */
export interface Parcel {
  readonly method: string;
  /** path and query */
  readonly path: string;
  /** host name of the brand, without a port */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A way to the shop. It rejects when the wire is cut or what came is not whole. */
export interface Line {
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options: CallOptions): Promise<Reply<Result<E>>>;
  /** presses a button of a page of the bank */
  press(page: string, fields: Readonly<Record<string, string>>): Promise<void>;
}

export interface CallOptions {
  /** host name of the brand */
  readonly host: string;
  readonly token?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The answer of a server that broke: not a refusal, and not the wire's fault. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly file?: Blob;
}

/** Calls the API as the storefront does, over whatever carries a parcel there and brings the answer back. */
export function lineOver(send: (parcel: Parcel) => Promise<{ status: number; text: string }>): Line {
  return {
    call: async (endpoint, input, { host, token, idempotencyKey }) => {
      const parts = input as Parts; // as: `Input` is exactly these parts, narrowed to the endpoint
      const { type, body } = await contentOf(parts);
      const headers = {
        authorization: token ?? 'null',
        language: 'en',
        ...(type !== undefined && { 'content-type': type }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const answer = await send({ method: endpoint.method, path: addressOf(endpoint, parts), host, headers, body });
      return replyOf(endpoint, answer);
    },
    press: async (page, fields) => {
      const { hostname: host, pathname, search } = new URL(page);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status } = await send({
        method: 'POST',
        path: pathname + search,
        host,
        headers,
        body: String(new URLSearchParams(fields)),
      });
      if (status === 500) throw new Broken('a page of the bank broke');
      if (status > 500) throw new Error('something between here and the bank has lost it');
    },
  };
}

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const search = new URLSearchParams(given).toString();
  return search ? `${path}?${search}` : path;
}

async function contentOf({ body, file }: Parts): Promise<{ type?: string; body?: Parcel['body'] }> {
  if (file) return { type: file.type, body: new Uint8Array(await file.arrayBuffer()) };
  return body === undefined ? {} : { type: 'application/json', body: JSON.stringify(body) };
}

/** Half an answer, or a page of something between, cannot be read and counts as none. */
function replyOf<E extends Endpoint>(
  endpoint: E,
  { status, text }: { status: number; text: string },
): Reply<Result<E>> {
  const envelope = JSON.parse(text) as Envelope & Record<string, Result<E>>; // as: what the API promises; looked at below
  if (envelope.code === 5008)
    throw new Broken(`${endpoint.name} broke with ${status}, trace ${envelope.traceId ?? ''}`);
  // nothing is decided by that: whoever asked asks again, as after a wire that was cut
  if (envelope.code === -24040) throw new Error(`${endpoint.name} found the shop busy`);
  if (envelope.code === 0) return { ok: true, data: envelope[endpoint.payload] as Result<E> }; // as: of the endpoint's own
  if (typeof envelope.errCode !== 'number') throw new Error(`${endpoint.name} answered with something else`);
  return { ok: false, errCode: envelope.errCode, params: envelope.params ?? {} };
}
