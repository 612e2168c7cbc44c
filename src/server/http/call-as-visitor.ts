import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { emptySchema } from '#contract/fields.ts';
import { refuseCommon } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';
import { handlers } from './handlers.ts';
import type { Bound, Parts } from '#server/runtime/request/bind.ts';
import { parsePart } from './read-input.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

const byName: ReadonlyMap<string, Bound> = new Map(Object.entries(handlers));

/** Limits count by `ip`; a page that is rendered for all visitors has none. */
type Visitor = Pick<RequestContext, 'brand' | 'origin' | 'language'> & Partial<Pick<RequestContext, 'ip'>>;

/**
 * Runs the handler of an endpoint in process, as a visitor of the brand, with the same schemas as over HTTP (contract,
 * `PageCall`). Rejects with a refusal that has `errCode`; `invalidToken` for endpoints that require a customer.
 */
export async function callAsVisitor<E extends Endpoint>(
  deps: Deps,
  endpoint: E,
  input: Input<E>,
  { brand, origin, language, ip = '127.0.0.1' }: Visitor,
): Promise<Result<E>> {
  const bound = byName.get(endpoint.name);
  if (!bound) throw new Error(`${endpoint.name} has no handler`);
  if (endpoint.access === 'customer') refuseCommon('invalidToken');
  const payload: Result<E> = await bound.run(partsOf(endpoint, input ?? {}), {
    deps,
    brand,
    origin,
    language,
    scene: 'WEB',
    user: null,
    tokenHash: null,
    ip,
    userAgent: '',
    country: '',
    traceId: deps.random.id(),
    idempotencyKey: null,
  });
  return payload;
}

function partsOf(endpoint: Endpoint, input: object): Parts {
  const given: Parts = input;
  return {
    ...(endpoint.params && { params: parsePart(endpoint.params, given.params, 'params') }),
    query: parsePart(endpoint.query ?? emptySchema, given.query ?? {}, 'query'),
    ...(endpoint.body && { body: parsePart(endpoint.body, given.body, 'body') }),
  };
}
