import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { askProvider, type SendRequest } from '../ask-provider.ts';
import { problemSchema, tokenSchema, type Problem } from './schemas.ts';

/** A REST app at PayPal, and how it is reached. */
export interface PaypalAccount {
  /** where `/v1` and `/v2` start: `https://api-m.paypal.com` */
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** without it no notice can be verified */
  readonly webhookId: string | undefined;
  readonly send: SendRequest;
}

/** One call of the API. */
export interface PaypalCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text, or what becomes it */
  readonly body?: object | string;
  /** PayPal does a POST once for each of these, and answers a repeat as it answered the first */
  readonly requestId?: string;
}

/** `refused` is PayPal's own, definite no (a 4xx that says why). */
export type PaypalAnswer<Body> =
  | { readonly kind: 'done'; readonly status: number; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly issue: string; readonly problem: Problem };

export interface PaypalClient {
  /** what PayPal says of a new token, the first thing that it gives a client: whether it knows this one */
  introduce(): Promise<'known' | 'unknown' | 'silent'>;
  /** Undefined where nothing may be concluded: no answer, a cut one, an error of PayPal's, an answer that cannot be read. */
  call<Schema extends v.GenericSchema>(
    call: PaypalCall,
    schema: Schema,
  ): Promise<PaypalAnswer<v.InferOutput<Schema>> | undefined>;
}

/** A token is renewed so long before its end, in milliseconds, that no call is under way when it ends. */
const renewBeforeMs = 60_000;
/** "Too many requests" and "request timeout" say nothing about what was asked. */
const sayNothing = new Set([408, 425, 429]);

/**
 * Calls PayPal with an OAuth 2.0 token of the client's own, which is kept until shortly before its end
 * (developer.paypal.com, "Authentication"). Neither the token nor the secret leaves this file.
 */
export function paypalClient(account: PaypalAccount, { clock, log }: Pick<Deps, 'clock' | 'log'>): PaypalClient {
  const tokens = keptToken(account, { clock, log });
  const introduce = async () => {
    const answer = await askProvider(account.send, tokenRequest(account), v.unknown());
    if (answer?.status === 200 && v.is(tokenSchema, answer.body)) return 'known';
    return answer?.status === 401 ? 'unknown' : 'silent';
  };
  const send = async (call: PaypalCall, token: string) =>
    askProvider(account.send, requestTo(account, call, token), v.unknown());
  return {
    introduce,
    call: async (call, schema) => {
      const token = await tokens.take();
      if (token === undefined) return undefined;
      let answer = await send(call, token);
      if (answer?.status === 401) {
        // PayPal may end a token before its time
        const fresh = await tokens.replace(token);
        answer = fresh === undefined ? undefined : await send(call, fresh);
      }
      return answer && read(answer, schema);
    },
  };
}

function requestTo({ base }: PaypalAccount, { method, path, body, requestId }: PaypalCall, token: string): Request {
  return new Request(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(method === 'POST' && { 'content-type': 'application/json', prefer: 'return=representation' }),
      ...(requestId !== undefined && { 'paypal-request-id': requestId }),
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
  });
}

function read<Schema extends v.GenericSchema>(
  { status, body }: { status: number; body: unknown },
  schema: Schema,
): PaypalAnswer<v.InferOutput<Schema>> | undefined {
  if (status < 300) {
    const parsed = v.safeParse(schema, body);
    return parsed.success ? { kind: 'done', status, body: parsed.output } : undefined;
  }
  const problem = v.safeParse(problemSchema, body);
  // what does not name its problem was not said by PayPal, but by something on the way
  if (status < 400 || status === 401 || sayNothing.has(status) || !problem.success || !problem.output.name)
    return undefined;
  const { name, details } = problem.output;
  return { kind: 'refused', status, issue: details[0]?.issue || name, problem: problem.output };
}

interface KeptToken {
  take(): Promise<string | undefined>;
  /** another one than this, which PayPal no longer accepts */
  replace(refused: string): Promise<string | undefined>;
}

function keptToken(account: PaypalAccount, deps: Pick<Deps, 'clock' | 'log'>): KeptToken {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let asking: Promise<string | undefined> | undefined;
  const renew = async () => {
    const asked = deps.clock();
    const answer = await askProvider(account.send, tokenRequest(account), v.unknown());
    const parsed = v.safeParse(tokenSchema, answer?.body);
    if (answer?.status === 401) deps.log.error('PayPal does not know the client id and secret that are configured');
    if (answer?.status !== 200 || !parsed.success) return undefined;
    const { access_token: token, expires_in: seconds } = parsed.output;
    kept = { token, until: asked + seconds * 1000 - renewBeforeMs };
    return token;
  };
  // calls that come together ask once
  const take = async () => {
    if (kept && kept.until > deps.clock()) return kept.token;
    asking ??= renew().finally(() => (asking = undefined));
    return asking;
  };
  return {
    take,
    replace: (refused) => {
      if (kept?.token === refused) kept = undefined;
      return take();
    },
  };
}

/** RFC 6749, 2.3.1 and 4.4: the client's own password as Basic authentication. */
function tokenRequest({ base, clientId, clientSecret }: PaypalAccount): Request {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return new Request(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}
