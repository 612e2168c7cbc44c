import type { Context } from 'hono';
import { bodyLimitBytes } from '../../contract/limits.ts';
import { readText } from '../request/read-bytes.ts';
import type { AppEnv } from '../request/request-context.ts';

/** Answers as OAuth has them (RFC 6749, 5.1 and 5.2): JSON that nobody keeps. */
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

export function oauthAnswer(body: object, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** `more` is put beside the error, for whoever looks at it. */
export function oauthError(
  error: OauthError,
  status = 400,
  moreHeaders: Readonly<Record<string, string>> = {},
  more: object = {},
): Response {
  return new Response(JSON.stringify({ error, ...more }), { status, headers: { ...headers, ...moreHeaders } });
}

/** The parameters of a form; an empty one counts as absent. Undefined when it is no form or repeats one (RFC 6749, 3.2). */
export async function readForm(c: Context<AppEnv>): Promise<ReadonlyMap<string, string> | undefined> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readText(c, bodyLimitBytes))) {
    if (form.has(name)) return undefined;
    if (value !== '') form.set(name, value);
  }
  return form;
}
