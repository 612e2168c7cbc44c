import { createHash, randomBytes } from 'node:crypto';
import * as endpoints from '#contract/index.ts';
import type { TestApp } from './test-app.ts';

export interface Journey {
  /** the form that is sent to the page of the sandbox provider */
  readonly form?: Record<string, string>;
  /** changed parameters of the authorization request; an empty one is omitted */
  readonly query?: Record<string, string>;
  readonly host?: string;
}

export interface Returned {
  readonly status: number;
  /** the redirect URL of the response */
  readonly location: URL | undefined;
  readonly state: string;
  /** the fields that the storefront sends to the shop */
  readonly proof: { readonly code: string; readonly codeVerifier: string; readonly nonce: string };
}

/** The form of a visitor who types an address at the sandbox provider. */
export const aPerson = (email: string, name = 'Ana Lima') => ({ action: 'allow', email, name });

/** Sends the authorization request of a browser, submits the provider's form and returns the redirect. */
export async function atGoogle(shop: TestApp, journey: Journey = {}): Promise<Returned> {
  const { form = { person: 'ana' }, host = 'localhost' } = journey;
  const codeVerifier = randomBytes(32).toString('base64url');
  const [nonce, state] = [randomBytes(16).toString('base64url'), randomBytes(16).toString('base64url')];
  const { data } = await shop.request(endpoints.googleClient, {}, { host });
  const query = {
    client_id: data.clientId,
    redirect_uri: `http://${host}/login`,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...journey.query,
  };
  const parameters = Object.entries(query).filter(([, value]) => value !== '');
  const page = `${data.authorizationEndpoint}?${new URLSearchParams(parameters).toString()}`;
  const answer = await shop.app.request(page, {
    method: 'POST',
    headers: { host },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const to = answer.headers.get('location');
  const location = to === null ? undefined : new URL(to);
  const code = location?.searchParams.get('code') ?? '';
  return { status: answer.status, location, state, proof: { code, codeVerifier, nonce } };
}
