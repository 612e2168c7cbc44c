import type { Endpoint, ErrorsOf, Parsed, Payload, UploadedFile } from '#contract/endpoint.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import type { Scene } from '#contract/scene.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { HandoverCheckout, sessions, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { type Refuse, throwRefusal } from './api-error.ts';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import * as v from 'valibot';

/** The customer of a session, without the password hash, and whether it is the session of a TV device. */
export interface SessionUser extends Omit<typeof users.$inferSelect, 'passwordHash'> {
  readonly sessionKind: (typeof sessions.$inferSelect)['kind'];
  /** the key to which the session is bound; null for any other session */
  readonly keyHash: string | null;
  /** of a phone that was handed a checkout: the only one that it may see and pay; null for every other session */
  readonly checkout: HandoverCheckout | null;
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
  /** the key to which a session of this call's result is bound: its SHA-256 thumbprint (RFC 7638, 9449) */
  readonly keyHash: string | null;
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
    /** of the caller's trace context, if it sent one */
    trace: string | undefined;
    /** pattern of the route for logs and metrics, never the URL itself */
    route: string;
    brand: Brand;
    /** scheme and host by which the caller reached the brand */
    origin: string;
    /** the customer of the session, if any */
    uid?: string;
    /** the order that the request names or creates, if any, for the log */
    orderId?: string;
    /** the code of a refusal */
    code?: number;
  };
}

export type App = Hono<AppEnv>;

/** The parts of a request, each already parsed by the endpoint's schema for it. */
export interface Parts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  file?: UploadedFile;
}

/** The handler of an endpoint; its input has passed the schemas. Refuses by `context.refuse(name, params)`. */
export type Handler<E extends Endpoint> = (input: Parsed<E>, context: ContextOf<E>) => Promise<Payload<E>> | Payload<E>;

export interface Bound<E extends Endpoint = Endpoint> {
  readonly endpoint: E;
  /** the response to a visitor depends only on catalogue, path, query and language, so it may be cached */
  readonly cached: boolean;
  /** a check before the body is read, so that a refusal costs no memory */
  readonly before?: ((context: CallContext) => Promise<void>) | undefined;
  /** runs the handler; its result has only the fields of the endpoint's result schema */
  run(parts: Parts, context: CallContext): Promise<unknown>;
}

/** Binds an endpoint to its handler. */
export function bind<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  { cached = false, before }: { cached?: boolean; before?: (context: ContextOf<E>) => Promise<void> } = {},
): Bound<E> {
  // the cast relies on `mount` and `callAsVisitor`, which have checked access; `throwRefusal` takes any endpoint's
  // errors
  const contextOf = (call: CallContext) => ({ ...call, refuse: throwRefusal }) as unknown as ContextOf<E>;
  return {
    endpoint,
    cached,
    before: before && ((call) => before(contextOf(call))),
    run: async (parts, call) => {
      // as: parts come from this endpoint's schemas
      const payload = await handler(parts as Parsed<E>, contextOf(call));
      return v.parse(endpoint.result, payload);
    },
  };
}
