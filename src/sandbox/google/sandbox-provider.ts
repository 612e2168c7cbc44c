import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { SignJWT } from 'jose';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import { oauthAnswer, oauthError, parseOauthForm } from '#server/auth/sign-on/device-calls.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { openIdClient } from '#server/auth/sign-on/openid-client.ts';
import { authorize, answerAuthorize } from './authorize.ts';
import {
  redeemCode,
  type Grant,
  type SandboxContext,
  sandboxClient,
  signingAlgorithm,
  signingKey,
} from './sandbox-codes.ts';
import type { Deps } from '#server/deps.ts';

const base = '/sandbox/google';
const idTokenSeconds = 60 * 60;

/** Every origin of the storefront has its own issuer, so that a phone in the local network can reach it. */
export const sandboxIssuer = (origin: string) => `${origin}${base}`;

/**
 * A small OpenID provider: discovery, keys, authorization code flow with PKCE. It accepts any typed account, so it
 * exists only where the sandbox is on and no client of Google is configured. The server reaches it in process, by the
 * code that reaches Google.
 */
export function sandboxProvider(context: SandboxContext): App {
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
