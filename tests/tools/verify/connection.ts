import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { requestOf } from '#tests/fixtures/call-request.ts';
import type { Envelope, RefusalParams } from '#contract/envelope.ts';

/** An answer of the API: a result, or a refusal with its code. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly errCode: number; readonly params: RefusalParams };

/** A request over a connection. */
interface WireRequest {
  readonly method: string;
  /** path and query */
  readonly path: string;
  /** host name of the brand, without a port */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A connection to the shop. It rejects when it is cut or a response is incomplete. */
export interface Connection {
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options: CallOptions): Promise<Reply<Result<E>>>;
  /** presses a button on a page of the bank */
  press(page: string, fields: Readonly<Record<string, string>>): Promise<void>;
}

export interface CallOptions {
  /** host name of the brand */
  readonly host: string;
  readonly token?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** An internal server error: neither a refusal nor a fault of the connection. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** Calls the API like the storefront, with any function that sends a request. */
export function connectionOver(send: (request: WireRequest) => Promise<{ status: number; text: string }>): Connection {
  return {
    call: async (endpoint, input, { host, token, idempotencyKey }) => {
      const { method, path, headers, body } = requestOf(endpoint, input, { token, idempotencyKey });
      const { file } = input as { file?: Blob }; // as: an input may have one beside its other parts
      const content = file && new Uint8Array(await file.arrayBuffer());
      const answer = await send({
        method,
        path,
        host,
        headers: { ...headers, language: 'en', ...(file && { 'content-type': file.type }) },
        body: content ?? body,
      });
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
      if (status > 500) throw new Error('a proxy has lost the request to the bank');
    },
  };
}

/** Parses an answer. An incomplete one, or the page of a proxy, throws like a missing one. */
function replyOf<E extends Endpoint>(
  endpoint: E,
  { status, text }: { status: number; text: string },
): Reply<Result<E>> {
  const envelope = JSON.parse(text) as Envelope & Record<string, Result<E>>; // as: the type of the API, which is checked below
  if (envelope.code === 5008)
    throw new Broken(`${endpoint.name} broke with ${status}, trace ${envelope.traceId ?? ''}`);
  // the result is unknown: the caller retries, as after a lost connection
  if (envelope.code === -24040) throw new Error(`${endpoint.name} was refused because the shop is busy`);
  if (envelope.code === 0) return { ok: true, data: envelope[endpoint.payload] as Result<E> }; // as: the payload of the endpoint
  if (typeof envelope.errCode !== 'number') throw new Error(`${endpoint.name} answered with something else`);
  return { ok: false, errCode: envelope.errCode, params: envelope.params ?? {} };
}
