import { sha256 } from '@noble/hashes/sha2.js';
import { type GoogleStart, googleStartKey } from '#web/platform/session/storage/identity-keys.ts';
import { activeLanguage, persistLanguage } from '#web/platform/i18n/active.ts';

/** Google's data about a visitor without an account. The ticket is a secret, so it is in memory only. */
export interface GoogleTicket {
  readonly ticket: string;
  readonly email: string;
  readonly name: string;
}

let held: GoogleTicket | undefined;

export function setGoogleTicket(ticket: GoogleTicket): void {
  held = ticket;
}

/** Reads the ticket without consuming it, because a component may render more than once. */
export const currentGoogleTicket = (): GoogleTicket | undefined => held;

/** Returns the ticket once and clears it. */
export function consumeGoogleTicket(): GoogleTicket | undefined {
  const taken = held;
  held = undefined;
  return taken;
}

/** The redirect URI that is registered with Google. */
const googleReturnPath = '/login';

/** Unpadded base64url (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The S256 challenge of a verifier (RFC 7636, section 4.2). Not by `crypto.subtle`, which is missing without TLS. */
export function challengeOf(codeVerifier: string): string {
  return base64url(sha256(new TextEncoder().encode(codeVerifier)));
}

const secret = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** New secrets for one login, 256 bits each. */
export function newStart(returnTo: string | undefined, page?: string): GoogleStart {
  return { state: secret(), nonce: secret(), codeVerifier: secret(), ...(returnTo ? { returnTo } : {}), page };
}

/** The authorization request (RFC 6749, section 4.1.1; RFC 7636; OpenID Connect Core, section 3.1.2.1). */
export function authorizationUrl(
  client: { readonly clientId: string; readonly authorizationEndpoint: string },
  start: GoogleStart,
  { origin, language }: { origin: string; language: string },
): string {
  const url = new URL(client.authorizationEndpoint);
  // any other scheme would run in the page instead of leaving it
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('The provider has no web address');
  const params = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: origin + googleReturnPath,
    scope: 'openid email profile',
    state: start.state,
    nonce: start.nonce,
    code_challenge: challengeOf(start.codeVerifier),
    code_challenge_method: 'S256',
    hl: language,
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

interface Client {
  readonly clientId: string;
  readonly authorizationEndpoint: string;
}

/** Redirects to Google. The secrets that its answer is compared with are stored in this tab only. */
export function startGoogle(client: Client, returnTo: string | undefined): void {
  const start = newStart(returnTo, location.pathname + location.search);
  const url = authorizationUrl(client, start, { origin: location.origin, language: activeLanguage() });
  googleStartKey.set(start);
  persistLanguage();
  location.assign(url);
}

/** Consumes the stored start, so that it is answered only once. Undefined if `state` belongs to another start. */
export function consumeGoogleStart(state: string): GoogleStart | undefined {
  const start = googleStartKey.get();
  googleStartKey.remove();
  return start?.state === state ? start : undefined;
}
