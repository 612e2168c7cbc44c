import type { Context } from 'hono';
import { matchPath, findPathRow, secretParams, type PathPattern } from '#contract/paths.ts';
import type { Deps } from '#server/deps.ts';
import type { App, AppEnv, RequestContext, Bound, Parts } from '#server/runtime/request/request-context.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import { brandState } from '#server/site/handlers.ts';
import { acceptedEncoding, bodyOf, type StoredPage } from './page-cache.ts';
import { pageHeaders, type PageHeaderOptions } from '../security-headers.ts';
import { pageLanguage, urlLanguage } from './page-language.ts';
import { pagesOf, pageAddress, root, type Pages, type Wanted, type Renderer } from './page-source.ts';
import { offersWallet } from '#server/payments/chargeable.ts';
import { emptySchema } from '#contract/fields.ts';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import { refuseCommon, ApiRefusal } from '#server/runtime/request/api-error.ts';
import { handlers } from '../handlers.ts';
import { parsePart } from '../read-input.ts';
import type { I18n } from '@lingui/core';
import { resendConfirmation, resetPasswordByEmail } from '#contract/email.ts';

/** As `answerPages`, with a renderer and without a build: in development, and in tests. */
export function mountPageRoutes(app: App, deps: Deps, render: Renderer): void {
  answerPages(app, deps, pagesOf(render, `${root}public`));
}

/** What the headers of a brand's pages depend on, besides their URL. */
export function headerOptionsOf(c: Context<AppEnv>, deps: Deps): PageHeaderOptions {
  return {
    worker: deps.env.WORKER === 'on',
    googlePay: offersWallet({ brand: c.get('brand'), deps }, 'googlePay'),
  };
}

/**
 * Responds to every path outside the API: public pages rendered with their data, the shell for others, redirects for
 * old links, /404 for unknown paths, and forms sent without scripts.
 */
export function answerPages(app: App, deps: Deps, pages: Pages): void {
  app.get('/manifest.webmanifest', async (c) => {
    const { brand, language, url } = visitorOf(c, deps);
    const mode = url.searchParams.get('scheme') === 'dark' ? 'dark' : 'light';
    c.header('Content-Type', 'application/manifest+json');
    c.header('Cache-Control', 'public, max-age=3600');
    c.header('Vary', 'Accept-Language, Cookie');
    return c.body(JSON.stringify(await pages.manifestOf(brand, language, mode)));
  });

  app.get('*', async (c) => {
    c.set('route', 'page');
    const { url, wanted } = visitorOf(c, deps);
    const pattern = matchPath(url.pathname);
    if (isForPrograms(url.pathname)) return c.text('Not found', 404);
    if (!pattern) return c.redirect('/404', 302);
    const secret = holdsSecret(url);
    const page = await pages.find(pageAddress(url, pattern, secret), wanted);
    return 'redirect' in page ? c.redirect(page.redirect, 302) : send(c, page, { ...headerOptionsOf(c, deps), secret });
  });

  app.post('*', async (c, next) => {
    const { url, brand, wanted } = visitorOf(c, deps);
    const pattern = matchPath(url.pathname);
    if (!pattern || !/^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '')) return next();
    c.set('route', 'form');
    const { origin, language, ip } = wanted;
    const body = await readText(c, deps, { maxBytes: maxFormBytes });
    const visitor = { brand, origin, language, ip };
    const notice = await processPlainForm(deps, { pattern, body, i18n: i18nIn(language, {}), visitor });
    const page = await pages.withNotice(notice, wanted);
    return 'redirect' in page
      ? c.redirect(page.redirect, 303)
      : send(c, page, { ...headerOptionsOf(c, deps), secret: true });
  });
}

/** Files that a program asks for by a fixed name (RFC 8615); it cannot read a page. */
const isForPrograms = (path: string): boolean => path.startsWith('/.well-known/');

/** A form without scripts has an address and a few names. */
const maxFormBytes = 4096;

/**
 * A URL with a secret gets the bare shell, whatever page it names: only the browser reads the secret, so it cannot get
 * into HTML, a redirect's `Location`, or a cache.
 */
function holdsSecret({ pathname, searchParams }: URL): boolean {
  // a provider's return URL has its token in the path or in any parameter that the provider chooses
  if (findPathRow(pathname)?.brings === 'paymentAnswer') return true;
  return [...searchParams.keys()].some((name) => secretParams.has(name.toLowerCase()));
}

function visitorOf(c: Context<AppEnv>, deps: Deps) {
  const url = new URL(c.req.url);
  const brand = c.get('brand');
  const { country, ip, userAgent } = callerOf(c, deps.env);
  const language = pageLanguage(
    { query: url.searchParams, cookie: c.req.header('Cookie'), acceptLanguage: c.req.header('Accept-Language') },
    { ...brand.config, tenantId: brand.tenantId, countryCode: country },
  );
  const origin = c.get('origin');
  const wanted: Wanted = {
    origin,
    language,
    languageInUrl: urlLanguage(url.searchParams, brand.config.langs) !== undefined,
    country,
    userAgent,
    version: deps.catalog.version,
    ip,
    encoding: acceptedEncoding(c.req.header('Accept-Encoding')),
    rest: () => ({
      brand: brandState(brand, language, country),
      call: (endpoint, input) => callAsVisitor(deps, endpoint, input, { brand, origin, language }),
    }),
  };
  return { url, brand, language, wanted };
}

async function send(c: Context<AppEnv>, page: StoredPage, options: PageHeaderOptions): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('Accept-Encoding'));
  const body = await bodyOf(page, encoding);
  const headers = pageHeaders(page.policy, options);
  if (page.status === 503) headers['Retry-After'] = '3';
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(body, { status: page.status, headers });
}

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
    keyHash: null,
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
async function processPlainForm(deps: Deps, { pattern, body, i18n, visitor }: PlainForm): Promise<string> {
  const endpoint = endpoints[pattern];
  if (!endpoint)
    return i18n._({
      id: 'page.form.script',
      message: 'This form needs JavaScript, so nothing was sent. Open this page in another browser.',
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
      message: 'The email wasn’t sent. Check the address and try again, or open this page in another browser.',
    });
  }
  return i18n._({ id: 'page.form.sent', message: 'If this address has an account, we’ve sent it an email.' });
}
