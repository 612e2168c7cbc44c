import type { Context } from 'hono';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { BodyGateDeps } from '#server/runtime/request/body-gate.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import type { AppEnv } from '#server/runtime/request/request-context.ts';

/** The headers of OAuth answers (RFC 6749, 5.1 and 5.2): JSON that is not cached. */
const headers = {
  'content-type': 'application/json; charset=UTF-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'temporarily_unavailable';

/** Forms of both endpoints have a few short values. */
const maxBytes = 8 * 1024;

export function oauthAnswer(body: object, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** `more` is added to the error, for diagnosis. */
export function oauthError(
  error: OauthError,
  status = 400,
  moreHeaders: Readonly<Record<string, string>> = {},
  more: object = {},
): Response {
  return new Response(JSON.stringify({ error, ...more }), { status, headers: { ...headers, ...moreHeaders } });
}

/** Converts a refusal of the body into an OAuth error; other errors are thrown again. */
export function oauthRefusal(error: unknown): Response {
  if (!(error instanceof ApiRefusal)) throw error;
  if (error.status !== 503) return oauthError('invalid_request', error.status);
  return oauthError('temporarily_unavailable', 503, { 'retry-after': String(error.params?.waitSeconds ?? 3) });
}

/** Reads and parses a form, if the content type is that of a form. */
export async function readOauthForm(
  c: Context<AppEnv>,
  deps: BodyGateDeps,
): Promise<ReadonlyMap<string, string> | undefined> {
  return isForm(c) ? parseOauthForm(c, await readText(c, deps, { maxBytes })) : undefined;
}

/**
 * The parameters of a form, without empty ones. Undefined if it is not a form or repeats a parameter (RFC 6749, 3.2).
 */
export function parseOauthForm(c: Context<AppEnv>, text: string): ReadonlyMap<string, string> | undefined {
  if (!isForm(c)) return undefined;
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) return undefined;
    if (value !== '') form.set(name, value);
  }
  return form;
}

function isForm(c: Context<AppEnv>): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
}
