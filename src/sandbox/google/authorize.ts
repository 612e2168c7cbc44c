import type { Context } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import { parseOauthForm } from '#server/auth/sign-on/device-calls.ts';
import { authorizePage, pageHeaders, people, refusalPage } from './authorize-page.ts';
import { makeCode, type SandboxContext, sandboxClient } from './sandbox-codes.ts';

/** A valid authorization request (OpenID Connect Core 1.0, 3.1.2.1). */
interface Request {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
}

/** Shows the accounts to choose from, or the error of the request. */
export function authorize(c: Context<AppEnv>, origin: string, context: SandboxContext): Response {
  const request = readRequest(c, origin, context);
  return request instanceof Response ? request : html(authorizePage(new URL(origin).host));
}

/** Handles the choice on the page. */
export async function answerAuthorize(c: Context<AppEnv>, origin: string, context: SandboxContext): Promise<Response> {
  const request = readRequest(c, origin, context);
  if (request instanceof Response) return request;
  const { redirectUri, state, challenge, nonce } = request;
  const form = parseOauthForm(c, await c.req.text()) ?? new Map<string, string>();
  if (form.get('action') === 'cancel') return redirectToClient(redirectUri, { error: 'access_denied', state });
  const person = people.find(({ id }) => id === form.get('person')) ?? typedPerson(form);
  if (!person) return html(authorizePage(new URL(origin).host), 400);
  const { email, emailVerified, name } = person;
  const code = await makeCode(context, { redirectUri, challenge, nonce, email, emailVerified, name });
  // Google adds these two as well, so the client must accept them
  return redirectToClient(redirectUri, { state, code, scope: 'openid email profile', authuser: '0' });
}

/**
 * Validates the request. Nothing is ever redirected to a foreign URL: that is answered with an error page (RFC 6749,
 * 4.1.2.1), any other error is sent to the client.
 */
function readRequest(c: Context<AppEnv>, origin: string, { env }: SandboxContext): Request | Response {
  const query = (name: string) => c.req.query(name) ?? '';
  const redirectUri = query('redirect_uri');
  if (query('client_id') !== sandboxClient(env).clientId) return html(refusalPage('This client is not known.'), 400);
  if (redirectUri !== `${origin}/login`) return html(refusalPage('This is not an address of the client.'), 400);
  const state = query('state');
  const challenge = query('code_challenge');
  const back = (error: string) => redirectToClient(redirectUri, { error, ...(state !== '' && { state }) });
  if (query('response_type') !== 'code') return back('unsupported_response_type');
  if (!query('scope').split(' ').includes('openid')) return back('invalid_scope');
  const hasChallenge = query('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge);
  if (!hasChallenge || state === '') return back('invalid_request');
  return { redirectUri, state, challenge, nonce: query('nonce') || undefined };
}

function typedPerson(form: ReadonlyMap<string, string>) {
  const email = (form.get('email') ?? '').trim().toLowerCase();
  if (email.length > 160 || !/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email)) return undefined;
  return { email, name: (form.get('name') ?? '').slice(0, 60), emailVerified: form.get('unverified') !== 'yes' };
}

function redirectToClient(redirectUri: string, parameters: Record<string, string>): Response {
  const location = `${redirectUri}?${new URLSearchParams(parameters).toString()}`;
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
}

function html(body: string, status = 200): Response {
  return new Response(body, { status, headers: pageHeaders });
}
