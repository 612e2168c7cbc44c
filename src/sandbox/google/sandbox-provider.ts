import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { SignJWT } from 'jose';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import { oauthAnswer, oauthError, parseOauthForm } from '#server/auth/sign-on/device-calls.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { openIdClient } from '#server/auth/sign-on/openid-client.ts';
import {
  redeemCode,
  sandboxClient,
  signingAlgorithm,
  signingKey,
  makeCode,
  type Grant,
  type SandboxContext,
} from './sandbox-codes.ts';
import type { Deps } from '#server/deps.ts';
import { html, raw } from 'hono/html';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import { headersFor, pageStyle } from '#sandbox/page-html.ts';

const base = '/sandbox/google';
const idTokenSeconds = 60 * 60;

/** Every origin of the storefront has its own issuer, so that a phone in the local network can reach it. */
const sandboxIssuer = (origin: string) => `${origin}${base}`;

/**
 * A small OpenID provider: discovery, keys, authorization code flow with PKCE. It accepts any typed account, so it
 * exists only where the sandbox is on and no client of Google is configured. The server reaches it in process, by the
 * code that reaches Google.
 */
function sandboxProvider(context: SandboxContext): App {
  const app: App = new Hono<AppEnv>().basePath(base);
  const key = signingKey(context.env);
  const small = bodyLimit({ maxSize: 8 * 1024, onError: () => oauthError('invalid_request', 413) });

  app.use(async (c, next) => {
    c.set('route', base);
    await next();
  });
  app.get('/.well-known/openid-configuration', (c) => c.json(discoveryOf(sandboxIssuer(originOf(c)))));
  app.get('/jwks', (c) => c.json({ keys: [key.jwk] }));
  app.get('/authorize', (c) => authorize(c, originOf(c), context));
  app.post('/authorize', small, (c) => answerAuthorize(c, originOf(c), context));
  app.post('/token', small, (c) => token(c, context));
  return app;
}

/** From the request middleware; an in-process call has no middleware, and its URL has the storefront's origin. */
function originOf(c: Context<AppEnv>): string {
  return c.get('origin') ?? new URL(c.req.url).origin;
}

function discoveryOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** Token request (RFC 6749, 4.1.3; RFC 7636, 4.6). The first attempt consumes a code, right or wrong. */
async function token(c: Context<AppEnv>, context: SandboxContext): Promise<Response> {
  const form = parseOauthForm(c, await c.req.text());
  if (!form) return oauthError('invalid_request');
  const { clientId, clientSecret } = sandboxClient(context.env);
  const isClient = form.get('client_id') === clientId && same(form.get('client_secret') ?? '', clientSecret);
  if (!isClient) return oauthError('invalid_client', 401);
  if (form.get('grant_type') !== 'authorization_code') return oauthError('unsupported_grant_type');
  const grant = await redeemCode(context, form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const fits = grant && grant.redirectUri === form.get('redirect_uri') && same(challenge, grant.challenge);
  if (!fits) return oauthError('invalid_grant');
  const issuer = sandboxIssuer(originOf(c));
  const idToken = await idTokenOf(context, grant, { issuer, audience: clientId });
  return oauthAnswer({
    access_token: context.random.token(32),
    token_type: 'Bearer',
    expires_in: 60,
    id_token: idToken,
  });
}

function idTokenOf(context: SandboxContext, grant: Grant, { issuer, audience }: { issuer: string; audience: string }) {
  const { id, privateKey } = signingKey(context.env);
  const iat = Math.floor(context.clock() / 1000);
  const { email, emailVerified, name, nonce } = grant;
  return new SignJWT({ email, email_verified: emailVerified, name, ...(nonce !== undefined && { nonce }) })
    .setProtectedHeader({ alg: signingAlgorithm, kid: id, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subjectOf(email))
    .setIssuedAt(iat)
    .setExpirationTime(iat + idTokenSeconds)
    .sign(privateKey);
}

/** Digits, as Google's; the same email always has the same subject. */
function subjectOf(email: string): string {
  const hash = createHash('sha256').update(email).digest('hex').slice(0, 17);
  return BigInt(`0x${hash}`).toString().padStart(21, '1');
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

/** Mounts the provider at `/sandbox/google` of every brand, unless a client of Google is configured. */
export function mountSandboxGoogle(app: App, deps: Deps): void {
  if (deps.env.GOOGLE_CLIENT_ID === undefined) app.route('/', sandboxProvider(deps));
}

/** The server's client of it, in process, by the code that reaches Google. */
export const sandboxGoogle: Sandbox['google'] = (deps) => {
  const provider = sandboxProvider(deps);
  const inProcess = async (url: string, init: RequestInit) => provider.fetch(new Request(url, init));
  return openIdClient({ ...sandboxClient(deps.env), issuer: sandboxIssuer, fetch: inProcess }, deps);
};

/** A valid authorization request (OpenID Connect Core 1.0, 3.1.2.1). */
interface Request {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
}

/** Shows the accounts to choose from, or the error of the request. */
function authorize(c: Context<AppEnv>, origin: string, context: SandboxContext): Response {
  const request = readRequest(c, origin, context);
  return request instanceof Response ? request : htmlResponse(authorizePage(new URL(origin).host));
}

/** Handles the choice on the page. */
async function answerAuthorize(c: Context<AppEnv>, origin: string, context: SandboxContext): Promise<Response> {
  const request = readRequest(c, origin, context);
  if (request instanceof Response) return request;
  const { redirectUri, state, challenge, nonce } = request;
  const form = parseOauthForm(c, await c.req.text()) ?? new Map<string, string>();
  if (form.get('action') === 'cancel') return redirectToClient(redirectUri, { error: 'access_denied', state });
  const person = people.find(({ id }) => id === form.get('person')) ?? typedPerson(form);
  if (!person) return htmlResponse(authorizePage(new URL(origin).host), 400);
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
  if (query('client_id') !== sandboxClient(env).clientId)
    return htmlResponse(refusalPage('This client is not known.'), 400);
  if (redirectUri !== `${origin}/login`) return htmlResponse(refusalPage('This is not an address of the client.'), 400);
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

function htmlResponse(body: string, status = 200): Response {
  return new Response(body, { status, headers: pageHeaders });
}

/** Accounts for demos and tests, on the provider's page, which is plain HTML in English without a script. */
const people = [
  { id: 'ana', name: 'Ana Lima', email: 'ana.lima@example.com', emailVerified: true },
  { id: 'ivan', name: 'Ivan Petrov', email: 'ivan.petrov@example.com', emailVerified: true },
  { id: 'unverified', name: 'Nobody Yet', email: 'nobody.yet@example.com', emailVerified: false },
];

const style = `${pageStyle}
label { display: grid; gap: .25rem; }
label.check { grid-auto-flow: column; justify-content: start; align-items: center; min-height: 48px; gap: .75rem; }
input { font: inherit; min-height: 48px; box-sizing: border-box; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: 10px;
  background: Field; color: FieldText; }
input[type=checkbox] { min-height: 0; width: 1.25rem; height: 1.25rem; }`;

const pageHeaders = headersFor(style);

/** The account chooser and consent page. `shop` is the storefront's host. */
function authorizePage(shop: string): string {
  const known = people.map(
    ({ id, name, email, emailVerified }) =>
      html`<button name="person" value="${id}" class="primary">${name}<br>${email}${emailVerified ? '' : ' (not verified)'}</button>`,
  );
  return page(
    'Choose an account',
    html`<p>${shop} would like to know your name and e-mail address.</p>
<form method="post">${known}</form>
<h2>Somebody else</h2><form method="post">
<label>E-mail <input name="email" type="email" required maxlength="160" autocomplete="off"></label>
<label>Name <input name="name" maxlength="60" autocomplete="off"></label>
<label class="check"><input name="unverified" type="checkbox" value="yes"> This address is not verified</label>
<button name="action" value="allow">Allow</button></form>
<form method="post"><button name="action" value="cancel">Cancel</button></form>`,
  );
}

/** An error that cannot be sent to the client (RFC 6749, 4.1.2.1). */
function refusalPage(sentence: string): string {
  return page('This does not work', html`<p>${sentence}</p>`);
}

function page(title: string, content: Markup): string {
  return textOfMarkup(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox accounts</title><meta name="robots" content="noindex"><style>${raw(style)}</style></head>
<body><header>Sandbox accounts · stands in for Google</header><main><h1>${title}</h1>
${content}
</main></body></html>`);
}
