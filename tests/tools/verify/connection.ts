import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { requestOf } from '#tests/fixtures/call-request.ts';
import type { Envelope, RefusalParams } from '#contract/envelope.ts';

/** What the API said: a result, or a refusal with its code. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly errCode: number; readonly params: RefusalParams };

/** What goes over a connection, as it is on the wire. */
export interface WireRequest {
  readonly method: string;
  /** path and query */
  readonly path: string;
  /** host name of the brand, without a port */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A way to the shop. It rejects when the wire is cut or what came is not whole. */
export interface Connection {
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

/** Calls the API as the storefront does, over whatever carries a request there and brings the answer back. */
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
      if (status > 500) throw new Error('something between here and the bank has lost it');
    },
  };
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
