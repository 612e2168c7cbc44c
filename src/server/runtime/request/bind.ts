import * as v from 'valibot';
import type { Endpoint, Parsed, Payload, UploadedFile } from '#contract/endpoint.ts';
import { throwRefusal } from './api-error.ts';
import type { CallContext, ContextOf } from './request-context.ts';

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
