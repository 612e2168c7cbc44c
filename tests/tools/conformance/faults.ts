// Deliberate faults in front of a server, by which the conformance suite itself is tested.
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import type { Send } from './backend.ts';
import type { Check } from './book.ts';

/** A request to the server, with what the conformance suite has sent before it. */
interface Exchange {
  readonly path: string;
  readonly request: RequestInit;
  readonly send: Send;
  readonly earlier: readonly { readonly path: string; readonly request: RequestInit }[];
}

/** A server with one deliberate fault, and where the suite has to find it. */
export interface Mutant {
  readonly fault: string;
  readonly at: readonly [call: keyof typeof endpoints, check: Check];
  readonly answer: (exchange: Exchange) => Promise<Response>;
}

/** Puts the fault in front of a server. */
export function withFault({ answer }: Mutant, send: Send): Send {
  const earlier: { path: string; request: RequestInit }[] = [];
  return async (path, request) => {
    const response = await answer({ path, request, send, earlier });
    earlier.push({ path, request });
    return response;
  };
}

export type Json = Record<string, unknown>;

export const isCall = ({ path: own }: Endpoint, path: string) =>
  new RegExp(`^${own.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`).test(path);
export const headersOf = ({ headers }: RequestInit) => new Headers(headers);
/** The body of a request; some are unreadable on purpose. */
export function bodyOf({ body }: RequestInit): Json {
  try {
    return typeof body === 'string' ? (JSON.parse(body) as Json) : {}; // as: the suite sends objects
  } catch {
    return {};
  }
}
export const withHeader = (request: RequestInit, name: string, value: string): RequestInit => {
  const headers = headersOf(request);
  headers.set(name, value);
  return { ...request, headers };
};

export const json = (value: unknown, status = 200) =>
  Response.json(value, { status, headers: { date: new Date().toUTCString(), 'cache-control': 'no-store' } });
export const refusal = (code: number, status: number) => json({ code, errCode: code, traceId: 'mutant' }, status);

/** Changes the payload of a call's successes. */
export const payload =
  (call: Endpoint, change: (data: Json, exchange: Exchange) => unknown): Mutant['answer'] =>
  async (exchange) => {
    const { path, request, send } = exchange;
    const response = await send(path, request);
    if (!isCall(call, path) || !response.ok) return response;
    const envelope = (await response.json()) as Json; // as: the server sends envelopes
    const changed = change(envelope[call.payload] as Json, exchange); // as: the results that are changed are objects or lists
    return new Response(JSON.stringify({ ...envelope, [call.payload]: changed }), response);
  };

/** Changes the response of one call, or of all. */
export const response =
  (
    call: Endpoint | undefined,
    change: (given: Response, exchange: Exchange) => Response | Promise<Response>,
  ): Mutant['answer'] =>
  async (exchange) => {
    const given = await exchange.send(exchange.path, exchange.request);
    return call && !isCall(call, exchange.path) ? given : change(given, exchange);
  };

/** Changes what reaches the server. */
export const request =
  (call: Endpoint | undefined, change: (exchange: Exchange) => RequestInit): Mutant['answer'] =>
  (exchange) =>
    exchange.send(exchange.path, call && !isCall(call, exchange.path) ? exchange.request : change(exchange));

export const headers = (given: Response, change: (headers: Headers) => void) => {
  const changed = new Response(given.body, given);
  change(changed.headers);
  return changed;
};

/** The tokens that the suite uses, oldest first: those of the first customer come before those of the second. */
export const tokensIn = ({ earlier, request: own }: Exchange) =>
  [
    ...new Set(
      [...earlier.map(({ request: one }) => one), own].map((one) => headersOf(one).get('authorization') ?? ''),
    ),
  ].filter((token) => token !== 'null' && !token.startsWith('conformance-'));

/** The customer is not checked: the second one reads as the first, who was the first to read an account. */
export const asFirst = ({ request: own, earlier }: Exchange) => {
  const tokenOf = (one: RequestInit) => headersOf(one).get('authorization') ?? 'null';
  const sentTo = (call: Endpoint) =>
    earlier.filter(({ path }) => isCall(call, path)).map((one) => tokenOf(one.request));
  const ended = new Set(['null', ...sentTo(endpoints.loginOut)]);
  const first = sentTo(endpoints.queryInfo).find((token) => !ended.has(token));
  return first !== undefined && tokenOf(own) !== 'null' ? withHeader(own, 'authorization', first) : own;
};

/** A valid token in place of none or an invented one. */
export function withToken(exchange: Exchange): RequestInit {
  const token = headersOf(exchange.request).get('authorization') ?? '';
  const [valid] = tokensIn({ ...exchange, request: {} }).slice(-1);
  const isValid = token !== 'null' && !token.startsWith('conformance-');
  return isValid || valid === undefined ? exchange.request : withHeader(exchange.request, 'authorization', valid);
}
