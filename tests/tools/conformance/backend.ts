import * as v from 'valibot';
import type { Endpoint, Input, Parts, Result } from '#contract/endpoint.ts';
import { envelopeSchema, refusalCode, type RefusalParams } from '#contract/envelope.ts';
import { errors, type ErrorName } from '#contract/error-codes.ts';
import { addressOf } from '#contract/endpoint.ts';
import type { Book } from './book.ts';

/** Sends a request to a path of the backend. */
export type Send = (path: string, request: RequestInit) => Promise<Response>;

export interface CallOptions {
  readonly token?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** a DPoP proof */
  readonly proof?: string | undefined;
}

/** What a call answered. `reason` is the error's name, its number if it is unknown, `unreadable` or `missing`. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T; readonly params: RefusalParams }
  | { readonly ok: false; readonly data: undefined; readonly reason: string; readonly params: RefusalParams };

/** A backend under test: each answer is checked against the contract, and what differs is noted in the book. */
export interface Backend {
  readonly book: Book;
  /** its origin as a browser sees it */
  readonly origin: string;
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Reply<Result<E>>>;
  /** sends any input, also such that the contract does not allow; `text` is a body that is not even JSON */
  raw(endpoint: Endpoint, parts: Parts & { text?: string }, options?: CallOptions): Promise<Reply<unknown>>;
  /** the clock of the backend by its last answer, in epoch milliseconds */
  now(): number;
  /** whether the backend has the call at all; one that it lacks is not sent again */
  offers(endpoint: Endpoint, options: { readonly isRequired: boolean }): Promise<boolean>;
}

const common: readonly ErrorName[] = ['invalidRequest', 'invalidToken', 'staleProof', 'serviceBusy', 'systemError'];

export function openBackend(send: Send, origin: string, book: Book): Backend {
  const request = (endpoint: Endpoint, { text, ...parts }: Parts & { text?: string }, options: CallOptions = {}) => {
    const body = text ?? (parts.body === undefined ? bareBody(endpoint) : JSON.stringify(parts.body));
    return send(pathOf(endpoint, parts), {
      method: endpoint.method,
      headers: headersOf(options, body !== undefined),
      ...(body !== undefined && { body }),
    });
  };
  let clock = Date.now();
  const missing = new Set<string>();
  const raw = async (
    endpoint: Endpoint,
    parts: Parts & { text?: string },
    options?: CallOptions,
  ): Promise<Reply<never>> => {
    if (missing.has(endpoint.name)) return { ok: false, data: undefined, reason: 'missing', params: {} };
    try {
      const response = await request(endpoint, parts, options);
      clock = Date.parse(response.headers.get('date') ?? '') || clock;
      return judge(book, endpoint, response, await response.text());
    } catch (error) {
      book.note(endpoint.name, 'envelope', `no answer: ${reasonOf(error)}`);
      return { ok: false, data: undefined, reason: 'unreadable', params: {} };
    }
  };
  return {
    book,
    origin,
    raw,
    now: () => clock,
    // as: `Input` has exactly these parts
    call: async (endpoint, input, options) => raw(endpoint, input as Parts, options),
    offers: async (endpoint, { isRequired }) => {
      const response = await request(endpoint, {});
      const json = jsonOf(await response.text());
      // 6001 of a required call may be about the plan or document that this request does not name
      const isKnown = isRequired ? v.is(envelopeSchema, json) : !isUnknownCall(json);
      const isOffered = json !== undefined && (isKnown || !absent.has(response.status));
      if (!isOffered) missing.add(endpoint.name);
      return isOffered;
    },
  };
}

/** Why there was no answer: `fetch` hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  return cause instanceof Error
    ? `${message}: ${cause.message || ('code' in cause ? String(cause.code) : '')}`
    : message;
}

/** What a server answers for a path or a method that it does not know. */
const absent = new Set([404, 405, 501]);

/** Whether an answer says that there is no such call, by an error of its own or by 6001. */
function isUnknownCall(json: unknown): boolean {
  const envelope = v.safeParse(envelopeSchema, json);
  return !envelope.success || refusalCode(envelope.output) === errors.pageNotFound.code;
}

/** What is sent where only the call's existence or its token matters. */
const bareBody = ({ body }: Endpoint) => (body ? '{}' : undefined);

/** The address of a call; without values that it requires, `0` stands for each. */
function pathOf(endpoint: Endpoint, { params, query }: Parts): string {
  const filled = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params?.[name];
    return typeof value === 'string' ? encodeURIComponent(value) : '0';
  });
  return addressOf({ path: filled as `/api/${string}` }, { query: query ?? {} }); // as: it begins as the path does
}

function headersOf({ token, idempotencyKey, proof }: CallOptions, hasBody: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: token ?? 'null',
    language: 'en',
    'client-type': 'WEB',
    scene: 'WEB',
    fingerprint: 'conformance',
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(proof !== undefined && { dpop: proof }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks an answer as every answer, and opens it. */
function judge(book: Book, endpoint: Endpoint, response: Response, text: string): Reply<never> {
  const { name } = endpoint;
  const json = jsonOf(text);
  const envelope = v.safeParse(envelopeSchema, json);
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  book.note(name, 'headers', headerProblem(endpoint, response.headers));
  if (!envelope.success || !isJson) {
    const what = json === undefined ? (response.headers.get('content-type') ?? 'no type') : 'JSON without a code';
    book.note(name, 'envelope', `HTTP ${response.status} with ${what}, expected an envelope as application/json`);
    return { ok: false, data: undefined, reason: 'unreadable', params: {} };
  }
  const code = refusalCode(envelope.output);
  const isGood = response.status >= 200 && response.status < 300;
  const differs = isGood === (code === undefined) ? undefined : `HTTP ${response.status} with code ${code ?? 0}`;
  book.note(name, 'envelope', differs);
  const params = envelope.output.params ?? {};
  if (code !== undefined) return { ...refusalOf(book, endpoint, code, response.status), params };
  const payload = envelope.output[endpoint.payload];
  const parsed = v.safeParse(endpoint.result, payload ?? {});
  book.note(name, 'result', parsed.success ? undefined : issuesOf(endpoint.payload, parsed.issues));
  if (!parsed.success) return { ok: false, data: undefined, reason: 'unreadable', params };
  return { ok: true, data: parsed.output as never, params }; // as: the caller knows the schema of the endpoint
}

function refusalOf(book: Book, endpoint: Endpoint, code: number, status: number) {
  const found = (Object.keys(errors) as ErrorName[]).find((one) => errors[one].code === code); // as: the keys of the table
  const isExpected = found !== undefined && [...common, ...endpoint.errors].includes(found);
  const expectedStatus = found && errors[found].status;
  book.note(
    endpoint.name,
    'errors',
    (!found && `code ${code} is in no table`) ||
      (!isExpected && `${found} (${code}) is no error of this call`) ||
      (expectedStatus !== status && `${found} (${code}) has HTTP ${status}, expected ${expectedStatus}`),
  );
  return { ok: false, data: undefined, reason: found ?? String(code) } as const;
}

function headerProblem({ access }: Endpoint, headers: Headers): string | undefined {
  if (Number.isNaN(Date.parse(headers.get('date') ?? ''))) return 'there is no `Date` header';
  const kept = headers.get('cache-control') ?? '';
  if (access === 'customer' && !/\b(?:no-store|private|no-cache)\b/.test(kept)) {
    return `a cache may keep the answer: \`Cache-Control: ${kept}\`, expected no-store`;
  }
  return undefined;
}

function issuesOf(payload: string, issues: readonly v.BaseIssue<unknown>[]): string {
  const lines = issues.slice(0, 5).map((issue) => {
    const path = v.getDotPath(issue);
    return `${path === null ? payload : `${payload}.${path}`} is ${issue.received}, expected ${issue.expected ?? issue.type}`;
  });
  return lines.join('; ');
}
