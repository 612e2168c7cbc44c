import type { Refuse } from '#server/runtime/request/api-error.ts';

/** Who an ID token says it is (OpenID Connect Core 1.0, section 2). */
export interface GoogleIdentity {
  /** never changes and is never given to another; the address may be */
  readonly sub: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
}

export interface CodeToExchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** The port to Google, or to whatever speaks OpenID Connect in its place. */
export interface GoogleProvider {
  readonly clientId: string;
  /** where a browser that came by this origin asks for a code; `origin` is scheme and host of the storefront */
  authorizationEndpoint(origin: string): Promise<string>;
  /**
   * Exchanges a code for an ID token and verifies it: signature by the published keys, issuer, audience, expiry, nonce.
   * Refuses with `loginFailedRefresh` what does not hold and with `serviceBusy` when the provider does not answer.
   */
  exchange(code: CodeToExchange, refuse: Refuse<'configError' | 'loginFailedRefresh'>): Promise<GoogleIdentity>;
}
