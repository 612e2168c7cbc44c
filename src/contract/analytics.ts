import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, instantSchema, languageSchema, text } from './fields.ts';
import { lastAnalyticsPageId } from './limits.ts';
import { matchPath, type ScreenPattern } from './paths.ts';

/**
 * One event for `/api/site/report`. It never contains a URL, a token or typed text: every field is a value from a list,
 * a number, or a random ID.
 */
export const analyticsEventSchema = v.strictObject({
  name: v.literal('membersite_event'),
  at: instantSchema,
  fieldsMap: v.strictObject({
    version: text(12),
    entrance_way: v.picklist(['memberSite', 'mobileGoToWebsite', 'boxScanQR']),
    brand_id: v.optional(text(40)),
    session_id: text(40),
    page_id: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(lastAnalyticsPageId)),
    page_name: text(40),
    language: languageSchema,
    terminal_type: v.picklist(['WEB', 'WAP']),
    login_type: v.optional(v.picklist(['password', 'code', 'sso', 'google', 'device', 'passkey'])),
    event_content: v.picklist(['page_view', 'page_leave', 'login', 'register', 'pay', 'pay_result']),
    /** milliseconds on the page */
    duration: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999_999))),
    order_status: v.optional(text(24)),
    method_code: v.optional(text(32)),
  }),
});
export type AnalyticsEvent = v.InferOutput<typeof analyticsEventSchema>;

/** Takes events of the pages. */
export const report = endpoint({
  name: 'report',
  method: 'POST',
  path: '/api/site/report',
  access: 'optional',
  body: v.strictObject({ events: v.pipe(v.array(analyticsEventSchema), v.minLength(1), v.maxLength(50)) }),
  result: emptySchema,
  errors: ['tooFrequent'],
});

/** The name of each screen; two addresses may have one. */
export const pageNames = {
  '/': 'home',
  '/pricing-table': 'pricing',
  '/plan-details/{id}': 'plan',
  '/help': 'help',
  '/privacy': 'privacy',
  '/login': 'login',
  '/register': 'register',
  '/forgot-password': 'forgot-password',
  '/lost-password': 'forgot-password',
  '/reset-password': 'reset-password',
  '/resend-confirm': 'resend-confirm',
  '/device': 'device',
  '/404': 'not-found',
  '/500': 'error',
  '/orders': 'orders',
  '/account': 'orders',
  '/coupons': 'coupons',
  '/receipts': 'receipts',
  '/my-cloud': 'my-cloud',
  '/connect-tv': 'connect-tv',
  '/passkeys': 'passkeys',
  '/my-data': 'my-data',
  '/settings': 'settings',
  '/payment': 'payment',
  '/payment-pix': 'payment-pix',
  '/payment-step': 'payment-step',
  '/payment-redirect': 'payment-redirect',
  '/paynowTips': 'paynow-tips',
  '/paymentCaishen': 'caishen',
  '/caishenRepay': 'caishen',
  '/paymentResult': 'payment-result',
  '/receipt': 'receipt',
  '/notice': 'notice',
  '/renewal': 'renewal',
  '/stb-orders': 'stb-orders',
} as const satisfies Record<ScreenPattern, string>;
export type PageName = (typeof pageNames)[ScreenPattern];

/** The name of the page at a path; never the path itself. */
export function pageNameOf(pathname: string): PageName {
  const pattern = matchPath(pathname);
  const isScreen = pattern !== undefined && pattern in pageNames;
  // as: the line above
  return isScreen ? pageNames[pattern as ScreenPattern] : 'not-found';
}

const pageIds: Readonly<Partial<Record<PageName, number>>> = {
  home: 1,
  pricing: 2,
  plan: 3,
  login: 4,
  register: 5,
  'forgot-password': 6,
  'reset-password': 7,
  'resend-confirm': 8,
  orders: 9,
  payment: 10,
  'payment-result': 11,
  'payment-pix': 12,
  caishen: 13,
  receipt: 14,
  'stb-orders': 15,
  help: 16,
  privacy: 17,
};

/** The analytics number of a page; a page without one has 0 and is counted by name. */
export const analyticsIdOf = (name: PageName): number => pageIds[name] ?? 0;
