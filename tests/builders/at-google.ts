import { createHash, randomBytes } from 'node:crypto';
import * as endpoints from '#contract/index.ts';
import type { TestApp } from './test-app.ts';

export interface Journey {
  /** what the sandbox's page is answered with */
  readonly form?: Record<string, string>;
  /** other parameters of the authorization request; an empty one is left out */
  readonly query?: Record<string, string>;
  readonly host?: string;
}

export interface Returned {
  readonly status: number;
  /** address and parameters that the browser is sent back to */
  readonly location: URL | undefined;
  readonly state: string;
  /** what the storefront then sends */
  readonly proof: { readonly code: string; readonly codeVerifier: string; readonly nonce: string };
}

/** A person who types an address at the sandbox provider. */
export const aPerson = (email: string, name = 'Ana Lima') => ({ action: 'allow', email, name });

/** Goes to the provider as the browser does, says who it is, and comes back. */
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
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const page = `${data.authorizationEndpoint}?${new URLSearchParams(given).toString()}`;
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
