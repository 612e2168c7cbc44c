import type { SiteConfig } from './brand.ts';
import { isCapable, type Capability } from './capabilities.ts';

/**
 * Every URL of the storefront with its properties. Router, page rendering, service worker and tests read this table. A
 * screen is one row here, one name in `analytics.ts`, one file in `web/routes` and one folder in `web/features`. `{id}`
 * stands for one segment.
 *
 * - `page`: public; the server renders it to HTML with its data.
 * - `app`: belongs to one customer; the browser renders it. In the main layout the server renders what is the same for all
 *   customers, which is shown until then.
 * - `link`: an old or external URL that redirects.
 */
export type PathKind = 'page' | 'app' | 'link';

interface Address {
  /**
   * The entry reads the customer and scene from the query. A plan in it is opened on its page (`opensPlan`), or stays
   * in the query (`keepsPlan`).
   */
  readonly entry?: 'reads' | 'opensPlan' | 'keepsPlan';
  /** Other secrets in the URL, removed from it at once; a `paymentAnswer` may contain a provider's token. */
  readonly brings?: 'mailToken' | 'providerAnswer' | 'boxCode' | 'paymentAnswer';
}

export interface Screen extends Address {
  readonly kind: 'page' | 'app';
  /** the layout, which is its folder in `web/routes` */
  readonly layout: 'main' | 'auth' | 'plain';
  /** `private` is for the logged-in customer only; `shared` shows the customer's data but also works for a visitor */
  readonly privacy?: 'private' | 'shared' | undefined;
  /** the page exists if the backend can do this */
  readonly needs?: Capability;
  /** the parent page in an installed app; the four tabs of the bottom bar have none */
  readonly above?: string;
  /** the back button skips the previous page, because its task is done */
  readonly skipsHistory?: true;
  /** no login returns here: the page would require another login, or show an error */
  readonly noReturn?: true;
  /** no typing or payment here, so a notification may navigate away */
  readonly calm?: true;
  /** shows a payment in progress, so no other component offers to continue it */
  readonly showsPayment?: true;
}

interface Link extends Address, Partial<Record<Exclude<keyof Screen, 'kind' | keyof Address>, undefined>> {
  readonly kind: 'link';
  readonly to: string;
  /** parameters added to the query */
  readonly says?: Readonly<Record<string, string>>;
}

export type PathRow = Screen | Link;

/** Shared by several rows. */
const open = { kind: 'page', layout: 'main', above: '/', calm: true } as const;
const login = { kind: 'page', layout: 'auth', needs: 'signIn', above: '/login', noReturn: true } as const;
const mailed = { ...login, kind: 'app', brings: 'mailToken' } as const;
const own = { kind: 'app', layout: 'main', privacy: 'private', entry: 'reads', calm: true } as const;
/** A page below the account with a form. */
const accountForm = { kind: 'app', layout: 'main', privacy: 'private', needs: 'account', above: '/account' } as const;
const ofAccount = { ...accountForm, calm: true } as const;
const step = {
  kind: 'app',
  layout: 'plain',
  privacy: 'private',
  needs: 'buyByRedirect',
  above: '/orders',
  showsPayment: true,
} as const;
const tvDevicePage = { kind: 'app', layout: 'plain', privacy: 'shared', needs: 'tv' } as const;
/** The previous page is the checkout, or a bank's page. */
const result = { ...step, privacy: undefined, skipsHistory: true, calm: true } as const;
const plainNotice = { kind: 'app', layout: 'plain', above: '/', noReturn: true, brings: 'mailToken' } as const;
const mailLink = { kind: 'link', brings: 'mailToken' } as const;

export const paths = {
  '/': { kind: 'page', layout: 'main', entry: 'opensPlan', calm: true },
  '/pricing-table': { kind: 'page', layout: 'main', entry: 'opensPlan', calm: true },
  '/plan-details/{id}': { ...open, entry: 'reads', above: '/pricing-table' },
  '/help': open,
  '/privacy': open,
  '/login': { ...login, above: '/', brings: 'providerAnswer' },
  '/register': login,
  '/forgot-password': login,
  '/lost-password': login,
  '/reset-password': mailed,
  '/resend-confirm': mailed,
  '/device': { ...tvDevicePage, above: '/account', brings: 'boxCode' },
  '/404': { ...open, noReturn: true },
  '/500': { ...open, noReturn: true },
  '/orders': { ...own, needs: 'buyByRedirect', showsPayment: true },
  '/account': { ...own, needs: 'signIn' },
  '/coupons': ofAccount,
  '/receipts': { ...ofAccount, needs: 'buyByRedirect' },
  '/my-cloud': { ...ofAccount, needs: 'signIn' },
  '/connect-tv': { ...accountForm, needs: 'tv' },
  '/passkeys': accountForm,
  '/my-data': accountForm,
  '/settings': { ...own, needs: 'account', above: '/account' },
  '/payment': { ...step, layout: 'main', above: '/pricing-table', entry: 'keepsPlan' },
  '/payment-pix': step,
  '/payment-step': step,
  '/payment-redirect': step,
  '/paynowTips': step,
  '/paymentCaishen': step,
  '/caishenRepay': step,
  '/paymentResult': { ...result, brings: 'paymentAnswer' },
  '/receipt': { ...step, calm: true },
  '/notice': plainNotice,
  '/renewal': { ...plainNotice, needs: 'renew' },
  '/stb-orders': { ...tvDevicePage, above: '/', entry: 'reads' },
  '/order': { kind: 'link', to: '/orders', entry: 'reads' },
  '/stbPayment': { kind: 'link', to: '/payment', entry: 'keepsPlan' },
  '/plan': { kind: 'link', to: '/pricing-table', entry: 'opensPlan' },
  '/tokenLogin': { kind: 'link', to: '/pricing-table', entry: 'opensPlan' },
  '/resetPassword': { ...mailLink, to: '/reset-password' },
  '/activate': { ...mailLink, to: '/resend-confirm' },
  '/bindEmailConfirmed': { ...mailLink, to: '/notice', says: { type: 'bindEmail' } },
  '/restoreEmail': { ...mailLink, to: '/notice', says: { type: 'restoreEmail' } },
  '/unsubscribe': { ...mailLink, to: '/notice', says: { type: 'offers' } },
  '/resendConfirmation': { ...mailLink, to: '/resend-confirm' },
} as const satisfies Record<string, PathRow>;

export type PathPattern = keyof typeof paths;
/** The addresses of screens. */
export type ScreenPattern = {
  [Pattern in PathPattern]: (typeof paths)[Pattern] extends { kind: 'link' } ? never : Pattern;
}[PathPattern];

/** The row of a URL; undefined for an unknown one. */
export function findPathRow(pathname: string): PathRow | undefined {
  const pattern = matchPath(pathname);
  return pattern && paths[pattern];
}

/** Whether the storefront shows the page of a URL; an unknown URL has a page that says so. */
export const hasPage = (config: Pick<SiteConfig, 'capabilities'>, pathname: string): boolean =>
  isCapable(config, findPathRow(pathname)?.needs);

/**
 * Query parameters that may contain a secret, at any URL and in any case: the app's token (`t`, `params`), an email
 * token, the code of a TV device, an identity provider's answer. The browser removes them from the URL before anything
 * else; the server neither reads nor forwards them. Lower case.
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

/** The pattern of a URL; undefined means /404. A trailing slash is ignored; `//` matches nothing. */
export function matchPath(pathname: string): PathPattern | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  if (planPath.test(path)) return '/plan-details/{id}';
  if (resultPath.test(path)) return '/paymentResult';
  // as: hasOwn found it among the keys
  return path !== '/plan-details/{id}' && Object.hasOwn(paths, path) ? (path as PathPattern) : undefined;
}
