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

/** The customer of a session, without the password hash, and whether it is the session of a TV device. */
export interface SessionUser extends Omit<typeof users.$inferSelect, 'passwordHash'> {
  readonly sessionKind: (typeof sessions.$inferSelect)['kind'];
  /** of a phone that was handed a checkout: the only one that it may see and pay; null for every other session */
  readonly checkout: HandedCheckout | null;
}

/** The context of a handler besides its input; `Errors` are those that it may refuse with. */
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
  /** two-letter country, upper case, where a trusted proxy sets it; else empty */
  readonly country: string;
  readonly traceId: string;
  /** UUID of the purchase intent; only idempotent calls have one */
  readonly idempotencyKey: string | null;
}

/** The context of a call that requires a signed-in customer. */
export interface CustomerContext<Errors extends ErrorName = never> extends RequestContext<Errors> {
  readonly user: SessionUser;
}

/** The context of a request before it reaches its handler. */
export type CallContext = Omit<RequestContext, 'refuse'>;

/** The context that fits the endpoint's definition: its errors, a user, a key. */
export type ContextOf<E extends Endpoint> = (E['access'] extends 'customer'
  ? CustomerContext<ErrorsOf<E>>
  : RequestContext<ErrorsOf<E>>) &
  (E extends { readonly idempotent: true } ? { readonly idempotencyKey: string } : unknown);

/** The values that the request middleware sets for every request. */
export interface AppEnv {
  /** absent for in-process calls */
  Bindings: Partial<HttpBindings>;
  Variables: {
    traceId: string;
    /** pattern of the route for logs and metrics, never the URL itself */
    route: string;
    brand: Brand;
    /** scheme and host by which the caller reached the brand */
    origin: string;
    /** the customer of the session, if any */
    uid?: string;
    /** the code of a refusal */
    code?: number;
  };
}

export type App = Hono<AppEnv>;
