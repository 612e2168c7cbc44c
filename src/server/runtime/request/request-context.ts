import type { Endpoint, ErrorsOf } from '#contract/endpoint.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import type { Scene } from '#contract/scene.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { HandedCheckout, sessions, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Refuse } from './api-error.ts';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** The customer of a session, without the password's hash, and whether the session is a box's. */
export interface SessionUser extends Omit<typeof users.$inferSelect, 'passwordHash'> {
  readonly sessionKind: (typeof sessions.$inferSelect)['kind'];
  /** of a phone that was handed a checkout: the only one that it may see and pay; null for every other session */
  readonly checkout: HandedCheckout | null;
}

/** What a handler knows besides its input; `Errors` are those that it may refuse with. */
export interface RequestContext<Errors extends ErrorName = never> {
  readonly refuse: Refuse<Errors>;
  readonly deps: Deps;
  readonly brand: Brand;
  /** scheme and host by which the caller reached the brand */
  readonly origin: string;
  readonly language: Language;
  readonly scene: Scene;
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
export interface CustomerContext<Errors extends ErrorName = never> extends RequestContext<Errors> {
  readonly user: SessionUser;
}

/** What is known of a request before it reaches its handler. */
export type CallContext = Omit<RequestContext, 'refuse'>;

/** The context that fits what the endpoint promises: its errors, a user, a key. */
export type ContextOf<E extends Endpoint> = (E['access'] extends 'customer'
  ? CustomerContext<ErrorsOf<E>>
  : RequestContext<ErrorsOf<E>>) &
  (E extends { readonly idempotent: true } ? { readonly idempotencyKey: string } : unknown);

/** What the request middleware finds out about every request. */
export interface AppEnv {
  /** absent when the app is asked in process */
  Bindings: Partial<HttpBindings>;
  Variables: {
    traceId: string;
    /** pattern of the route for logs and metrics, never the address itself */
    route: string;
    brand: Brand;
    /** scheme and host by which the caller reached the brand */
    origin: string;
    /** who asks, where a session says so */
    uid?: string;
    /** the code of a refusal */
    code?: number;
  };
}

export type App = Hono<AppEnv>;
