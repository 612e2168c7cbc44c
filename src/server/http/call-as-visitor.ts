import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { emptySchema } from '#contract/fields.ts';
import { refuseCommon, ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';
import { handlers } from './handlers.ts';
import { parsePart } from './read-input.ts';
import type { RequestContext, Bound, Parts } from '#server/runtime/request/request-context.ts';
import type { I18n } from '@lingui/core';
import { resendConfirmation, resetPasswordByEmail } from '#contract/email.ts';
import type { PathPattern } from '#contract/paths.ts';

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

/**
 * [Note: Plain forms] Forms that work without scripts: those that need no session. Their field is `account`, and they
 * have `data-plain` in the storefront.
 */
const endpoints: Partial<Record<PathPattern, typeof resetPasswordByEmail | typeof resendConfirmation>> = {
  '/forgot-password': resetPasswordByEmail,
  '/lost-password': resetPasswordByEmail,
  '/resend-confirm': resendConfirmation,
};

interface PlainForm {
  readonly pattern: PathPattern;
  /** as the browser sends it: `application/x-www-form-urlencoded` */
  readonly body: string;
  readonly i18n: I18n;
  readonly visitor: Pick<RequestContext, 'brand' | 'origin' | 'language' | 'ip'>;
}

/** Processes a form that a browser sent without scripts. Returns the message for the page. */
export async function processPlainForm(deps: Deps, { pattern, body, i18n, visitor }: PlainForm): Promise<string> {
  const endpoint = endpoints[pattern];
  if (!endpoint)
    return i18n._({
      id: 'page.form.script',
      message: 'This form needs JavaScript, and nothing was sent. Open this page in another browser.',
    });
  const email = new URLSearchParams(body).get('account')?.trim() ?? '';
  try {
    await callAsVisitor(deps, endpoint, { body: { email, language: visitor.language } }, visitor);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    if (error.error === 'tooFrequent')
      return i18n._({ id: 'page.form.wait', message: 'Too many requests. Wait a minute, then try again.' });
    return i18n._({
      id: 'page.form.refused',
      message: 'The email was not sent. Check the address and try again, or open this page in another browser.',
    });
  }
  return i18n._({ id: 'page.form.sent', message: 'If there is an account for this address, an email is on its way.' });
}
