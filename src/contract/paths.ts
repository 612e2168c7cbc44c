/**
 * Every address of the storefront, once (spec section 2). The router, the server that renders pages, and the tests all
 * read this table. `{id}` stands for one segment.
 *
 * - `page` is rendered to HTML by the server, with its data, for anyone;
 * - `app` is drawn by the browser, because what it shows belongs to one person;
 * - `link` is an old or outside address that leads to another one.
 */
export type PathKind = 'page' | 'app' | 'link';

export const paths = {
  '/': { kind: 'page', page: 'home' },
  '/pricing-table': { kind: 'page', page: 'pricing' },
  '/plan-details/{id}': { kind: 'page', page: 'plan' },
  '/help': { kind: 'page', page: 'help' },
  '/privacy': { kind: 'page', page: 'privacy' },
  '/login': { kind: 'page', page: 'login' },
  '/register': { kind: 'page', page: 'register' },
  '/forgot-password': { kind: 'page', page: 'forgot-password' },
  '/lost-password': { kind: 'page', page: 'forgot-password' },
  '/reset-password': { kind: 'app', page: 'reset-password' },
  '/resend-confirm': { kind: 'app', page: 'resend-confirm' },
  '/device': { kind: 'app', page: 'device' },
  '/404': { kind: 'page', page: 'not-found' },
  '/500': { kind: 'page', page: 'error' },
  '/orders': { kind: 'app', page: 'orders' },
  '/account': { kind: 'app', page: 'orders' },
  '/payment': { kind: 'app', page: 'payment' },
  '/payment-pix': { kind: 'app', page: 'payment-pix' },
  '/payment-step': { kind: 'app', page: 'payment-step' },
  '/payment-redirect': { kind: 'app', page: 'payment-redirect' },
  '/paynowTips': { kind: 'app', page: 'paynow-tips' },
  '/paymentCaishen': { kind: 'app', page: 'caishen' },
  '/caishenRepay': { kind: 'app', page: 'caishen' },
  '/paymentResult': { kind: 'app', page: 'payment-result' },
  '/receipt': { kind: 'app', page: 'receipt' },
  '/notice': { kind: 'app', page: 'notice' },
  '/stb-orders': { kind: 'app', page: 'stb-orders' },
  '/order': { kind: 'link', to: '/orders' },
  '/stbPayment': { kind: 'link', to: '/payment' },
  '/plan': { kind: 'link', to: '/pricing-table' },
  '/tokenLogin': { kind: 'link', to: '/pricing-table' },
  '/resetPassword': { kind: 'link', to: '/reset-password' },
  '/activate': { kind: 'link', to: '/resend-confirm' },
  '/bindEmailConfirmed': { kind: 'link', to: '/notice' },
  '/resendConfirmation': { kind: 'link', to: '/resend-confirm' },
} as const satisfies Record<string, { kind: 'page' | 'app'; page: string } | { kind: 'link'; to: string }>;

export type PathPattern = keyof typeof paths;

/**
 * Query names that may hold a secret, at any address and in whatever case: the app's token (`t`, `params`), the token of
 * a mail, the code of a box, the answer of an identity provider. The browser takes them out of the address before
 * anything else; the server neither reads them nor passes them on (decisions, "Arriving"). Here they are in lower case.
 */
export const secretParams: ReadonlySet<string> = new Set([
  't',
  'apptoken',
  'params',
  'token',
  'user_code',
  'code',
  'state',
]);

const planPath = /^\/plan-details\/\d[\w-]{0,31}$/;
const resultPath = /^\/paymentResult\/./;

/** Which row of the table an address belongs to; undefined means /404. A trailing slash changes nothing; `//` is nobody's. */
export function matchPath(pathname: string): PathPattern | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  if (planPath.test(path)) return '/plan-details/{id}';
  if (resultPath.test(path)) return '/paymentResult';
  // hasOwn has just found it among the keys
  return path !== '/plan-details/{id}' && Object.hasOwn(paths, path) ? (path as PathPattern) : undefined;
}
