import type { Endpoint } from '../contract/endpoint.ts';
import type { Language } from '../contract/fields.ts';
import type { ClientType, Scene } from '../contract/scene.ts';
import type { SessionUser } from './auth/session.ts';
import type { Brand } from './brand/catalog.ts';
import type { Deps } from './deps.ts';

/** What a handler knows besides its input. */
export interface RequestContext {
  readonly deps: Deps;
  readonly brand: Brand;
  /** scheme and host by which the caller reached the brand */
  readonly origin: string;
  readonly language: Language;
  readonly scene: Scene;
  readonly clientType: ClientType;
  /** hash of the browser, or empty */
  readonly fingerprint: string;
  readonly user: SessionUser | null;
  /** SHA-256 of the session's token, for ending it; null without a token */
  readonly tokenHash: string | null;
  readonly ip: string;
  readonly userAgent: string;
  /** two-letter country, upper case, where a proxy in front tells it; else empty */
  readonly country: string;
  readonly traceId: string;
  /** UUID of the purchase intent; only idempotent calls carry one */
  readonly idempotencyKey: string | null;
}

/** The context of a call for the signed-in only. */
export interface CustomerContext extends RequestContext {
  readonly user: SessionUser;
}

/** The context that fits what the endpoint promises: a user, a key. */
export type ContextOf<E extends Endpoint> = (E['access'] extends 'customer' ? CustomerContext : RequestContext) &
  (E extends { readonly idempotent: true } ? { readonly idempotencyKey: string } : unknown);
