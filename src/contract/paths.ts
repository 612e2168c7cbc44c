/**
 * Every address of the storefront, once, with all that is said about it. The router, the server that renders pages, the
 * worker and the tests read this table; a screen is one row here, one file in `web/routes` and one folder in
 * `web/features`. `{id}` stands for one segment.
 *
 * - `page` is rendered to HTML by the server, with its data, for anyone;
 * - `app` is drawn by the browser, because what it shows belongs to one person;
 * - `link` is an old or outside address that leads to another one.
 */
export type PathKind = 'page' | 'app' | 'link';

interface Address {
  /**
   * Reads what a link tells about the one who follows it. A plan in it `opensPlan`, where the plan has a page of its own,
   * or `keepsPlan`, where it is a part of the query.
   */
  readonly entry?: 'reads' | 'opensPlan' | 'keepsPlan';
  /** What else comes in the address and is taken out of it at once; a `paymentAnswer` may hold a token that is not ours. */
  readonly brings?: 'mailToken' | 'providerAnswer' | 'boxCode' | 'paymentAnswer';
}

export interface Screen extends Address {
  readonly kind: 'page' | 'app';
  readonly page: string;
  /** the frame around it, which is its folder in `web/routes` */
  readonly layout: 'main' | 'auth' | 'plain';
  /** its number in analytics; a page without one is counted by its name alone */
  readonly analytics?: number;
  /**
   * Whose it is, where it is not anyone's: `private` is for nobody but the customer who is signed in, `shared` shows what
   * is theirs and works for a visitor, too.
   */
  readonly privacy?: 'private' | 'shared' | undefined;
  /** the page above it in an installed app; the four places of the bottom bar have none */
  readonly above?: string;
  /** the page before it is no way back, because what was left there is done */
  readonly skipsHistory?: true;
  /** nobody is led back here after a login: it would only ask for one again, or show an error */
  readonly noReturn?: true;
  /** nobody types or pays here, so a notification may lead away from it */
  readonly calm?: true;
  /** shows a payment that goes on, so nothing else need offer to go on with it */
  readonly showsPayment?: true;
}

interface Link extends Address, Partial<Record<Exclude<keyof Screen, 'kind' | keyof Address>, undefined>> {
  readonly kind: 'link';
  readonly to: string;
  /** what it adds to the query, which is passed on */
  readonly says?: Readonly<Record<string, string>>;
}

export type PathRow = Screen | Link;

/** What many rows share. */
const open = { kind: 'page', layout: 'main', above: '/', calm: true } as const;
const login = { kind: 'page', layout: 'auth', above: '/login', noReturn: true } as const;
const mailed = { kind: 'app', layout: 'auth', above: '/login', noReturn: true, brings: 'mailToken' } as const;
const own = { kind: 'app', layout: 'main', privacy: 'private', entry: 'reads', calm: true } as const;
const ofAccount = { kind: 'app', layout: 'main', privacy: 'private', above: '/account', calm: true } as const;
/** A page of the customer's own below the account, where something is typed or chosen. */
const below = { kind: 'app', layout: 'main', privacy: 'private', above: '/account' } as const;
const step = { kind: 'app', layout: 'plain', privacy: 'private', above: '/orders', showsPayment: true } as const;
const box = { kind: 'app', layout: 'plain', privacy: 'shared' } as const;
/** Behind it is the checkout, or the page of a bank. */
const result = { ...step, privacy: undefined, skipsHistory: true, calm: true } as const;
const mailLink = { kind: 'link', brings: 'mailToken' } as const;

export const paths = {
  '/': { kind: 'page', page: 'home', layout: 'main', analytics: 1, entry: 'opensPlan', calm: true },
  '/pricing-table': { kind: 'page', page: 'pricing', layout: 'main', analytics: 2, entry: 'opensPlan', calm: true },
  '/plan-details/{id}': { ...open, page: 'plan', analytics: 3, entry: 'reads', above: '/pricing-table' },
  '/help': { ...open, page: 'help', analytics: 16 },
  '/privacy': { ...open, page: 'privacy', analytics: 17 },
  '/login': { ...login, page: 'login', analytics: 4, above: '/', brings: 'providerAnswer' },
  '/register': { ...login, page: 'register', analytics: 5 },
  '/forgot-password': { ...login, page: 'forgot-password', analytics: 6 },
  '/lost-password': { ...login, page: 'forgot-password', analytics: 6 },
  '/reset-password': { ...mailed, page: 'reset-password', analytics: 7 },
  '/resend-confirm': { ...mailed, page: 'resend-confirm', analytics: 8 },
  '/device': { ...box, page: 'device', above: '/account', brings: 'boxCode' },
  '/404': { ...open, page: 'not-found', noReturn: true },
  '/500': { ...open, page: 'error', noReturn: true },
  '/orders': { ...own, page: 'orders', analytics: 9, showsPayment: true },
  '/account': { ...own, page: 'orders', analytics: 9 },
  '/coupons': { ...ofAccount, page: 'coupons' },
  '/receipts': { ...ofAccount, page: 'receipts' },
  '/my-cloud': { ...ofAccount, page: 'my-cloud' },
  '/connect-tv': { ...below, page: 'connect-tv' },
  '/passkeys': { ...below, page: 'passkeys' },
  '/my-data': { ...below, page: 'my-data' },
  '/settings': { ...own, page: 'settings', above: '/account' },
  '/payment': { ...step, page: 'payment', analytics: 10, layout: 'main', above: '/pricing-table', entry: 'keepsPlan' },
  '/payment-pix': { ...step, page: 'payment-pix', analytics: 12 },
  '/payment-step': { ...step, page: 'payment-step' },
  '/payment-redirect': { ...step, page: 'payment-redirect' },
  '/paynowTips': { ...step, page: 'paynow-tips' },
  '/paymentCaishen': { ...step, page: 'caishen', analytics: 13 },
  '/caishenRepay': { ...step, page: 'caishen', analytics: 13 },
  '/paymentResult': { ...result, page: 'payment-result', analytics: 11, brings: 'paymentAnswer' },
  '/receipt': { ...step, page: 'receipt', analytics: 14, calm: true },
  '/notice': { kind: 'app', page: 'notice', layout: 'plain', above: '/', noReturn: true, brings: 'mailToken' },
  '/renewal': { kind: 'app', page: 'renewal', layout: 'plain', above: '/', noReturn: true, brings: 'mailToken' },
  '/stb-orders': { ...box, page: 'stb-orders', analytics: 15, above: '/', entry: 'reads' },
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
type Rows = (typeof paths)[PathPattern];
/** The name of a page, as it is counted. */
export type PageName = Extract<Rows, { page: string }>['page'];

/** What is said about the address that this is one of; undefined for nobody's. */
export function rowOf(pathname: string): PathRow | undefined {
  const pattern = matchPath(pathname);
  return pattern && paths[pattern];
}

/** The number of a page in analytics, 0 for one without. */
export function analyticsIdOf(name: PageName): number {
  const rows: readonly PathRow[] = Object.values(paths);
  return rows.find((row) => row.page === name)?.analytics ?? 0;
}

/**
 * Query names that may hold a secret, at any address and in whatever case: the app's token (`t`, `params`), the token of
 * a mail, the code of a box, the answer of an identity provider. The browser takes them out of the address before
 * anything else; the server neither reads them nor passes them on. Here they are in lower case.
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
