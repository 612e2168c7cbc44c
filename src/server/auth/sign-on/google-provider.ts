import type { Refuse } from '#server/runtime/request/api-error.ts';

/** The identity in an ID token (OpenID Connect Core 1.0, section 2). */
export interface GoogleIdentity {
  /** never changes and is never reassigned, unlike the address */
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

/** The port to Google, or to another OpenID Connect provider. */
export interface GoogleProvider {
  readonly clientId: string;
  /** the authorization endpoint for browsers of this origin, which is scheme and host of the storefront */
  authorizationEndpoint(origin: string): Promise<string>;
  /**
   * Exchanges a code for an ID token and verifies its signature by the published keys, issuer, audience, expiry and
   * nonce. `loginFailedRefresh`: invalid. `serviceBusy`: the provider does not answer.
   */
  exchange(code: CodeToExchange, refuse: Refuse<'configError' | 'loginFailedRefresh'>): Promise<GoogleIdentity>;
}
