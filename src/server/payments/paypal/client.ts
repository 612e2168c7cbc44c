import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { sendProviderRequest, type SendRequest } from '../send-provider-request.ts';
import { problemSchema, tokenSchema, type Problem } from './answers.ts';

/** A REST app at PayPal, with its address. */
export interface PaypalAccount {
  /** the base of `/v1` and `/v2`: `https://api-m.paypal.com` */
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** without it no notice can be verified */
  readonly webhookId: string | undefined;
  readonly send: SendRequest;
}

/** One call of the API. */
interface PaypalCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** JSON text, or an object that is serialized */
  readonly body?: object | string;
  /** PayPal executes a POST once per ID, and answers a repeat as it answered the first */
  readonly requestId?: string;
}

/** `refused` is a definite refusal by PayPal (a 4xx with a reason). */
type PaypalAnswer<Body> =
  | { readonly kind: 'done'; readonly status: number; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly issue: string; readonly problem: Problem };

export interface PaypalClient {
  /** whether PayPal knows the client, by requesting a new token */
  authenticate(): Promise<'known' | 'unknown' | 'silent'>;
  /**
   * Undefined if nothing may be concluded: no response, a broken connection, a server error, an unreadable response.
   */
  call<Schema extends v.GenericSchema>(
    call: PaypalCall,
    schema: Schema,
  ): Promise<PaypalAnswer<v.InferOutput<Schema>> | undefined>;
}

/** How long before its expiry a token is renewed, in milliseconds, so that no call is under way when it expires. */
const renewBeforeMs = 60_000;
/** Statuses that leave the outcome open: timeouts and rate limiting. */
const inconclusive = new Set([408, 425, 429]);

/**
 * Calls PayPal with an OAuth 2.0 client token, which is cached until shortly before its expiry (developer.paypal.com,
 * "Authentication"). Neither the token nor the secret leaves this file.
 */
export function paypalClient(account: PaypalAccount, { clock, log }: Pick<Deps, 'clock' | 'log'>): PaypalClient {
  const tokens = cachedToken(account, { clock, log });
  const authenticate = async () => {
    const answer = await sendProviderRequest(account.send, tokenRequest(account), v.unknown());
    if (answer?.status === 200 && v.is(tokenSchema, answer.body)) return 'known';
    return answer?.status === 401 ? 'unknown' : 'silent';
  };
  const send = async (call: PaypalCall, token: string) =>
    sendProviderRequest(account.send, requestTo(account, call, token), v.unknown());
  return {
    authenticate,
    call: async (call, schema) => {
      const token = await tokens.take();
      if (token === undefined) return undefined;
      let answer = await send(call, token);
      if (answer?.status === 401) {
        // PayPal may revoke a token early
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
  // an error without a name is not from PayPal, but from a proxy in between
  if (status < 400 || status === 401 || inconclusive.has(status) || !problem.success || !problem.output.name)
    return undefined;
  const { name, details } = problem.output;
  return { kind: 'refused', status, issue: details[0]?.issue || name, problem: problem.output };
}

interface TokenCache {
  take(): Promise<string | undefined>;
  /** a token other than this one, which PayPal no longer accepts */
  replace(refused: string): Promise<string | undefined>;
}

function cachedToken(account: PaypalAccount, deps: Pick<Deps, 'clock' | 'log'>): TokenCache {
  let cached: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string | undefined> | undefined;
  const renew = async () => {
    const asked = deps.clock();
    const answer = await sendProviderRequest(account.send, tokenRequest(account), v.unknown());
    const parsed = v.safeParse(tokenSchema, answer?.body);
    if (answer?.status === 401) deps.log.error('PayPal rejects the configured client ID and secret');
    if (answer?.status !== 200 || !parsed.success) return undefined;
    const { access_token: token, expires_in: seconds } = parsed.output;
    cached = { token, until: asked + seconds * 1000 - renewBeforeMs };
    return token;
  };
  // concurrent calls share one request
  const take = async () => {
    if (cached && cached.until > deps.clock()) return cached.token;
    pending ??= renew().finally(() => (pending = undefined));
    return pending;
  };
  return {
    take,
    replace: (refused) => {
      if (cached?.token === refused) cached = undefined;
      return take();
    },
  };
}

/** RFC 6749, 2.3.1 and 4.4: the client credentials as Basic authentication. */
function tokenRequest({ base, clientId, clientSecret }: PaypalAccount): Request {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return new Request(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}
