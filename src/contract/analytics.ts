import * as v from 'valibot';
import { instantSchema, languageSchema, text } from './fields.ts';

/** Page ids of the listed routes (decisions, "Codes"). Others send 0 and a name. */
export const pageIds = {
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
} as const;
export type PageName =
  | keyof typeof pageIds
  | 'payment-step'
  | 'payment-redirect'
  | 'paynow-tips'
  | 'device'
  | 'notice'
  | 'not-found'
  | 'error';

/**
 * One event for `/api/site/report`. Never a raw URL, a token or anything typed: every field is a word from a list,
 * a number, or a random id (decisions, "Codes").
 */
export const analyticsEventSchema = v.strictObject({
  name: v.literal('membersite_event'),
  at: instantSchema,
  fieldsMap: v.strictObject({
    version: text(12),
    entrance_way: v.picklist(['memberSite', 'mobileGoToWebsite', 'boxScanQR']),
    brand_id: v.optional(text(40)),
    session_id: text(40),
    page_id: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(17)),
    page_name: text(40),
    language: languageSchema,
    terminal_type: v.picklist(['WEB', 'WAP']),
    login_type: v.optional(v.picklist(['password', 'code', 'sso', 'google'])),
    event_content: v.picklist(['page_view', 'page_leave', 'login', 'register', 'pay', 'pay_result']),
    /** milliseconds on the page */
    duration: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999_999))),
    order_status: v.optional(text(24)),
    method_code: v.optional(text(32)),
  }),
});
export type AnalyticsEvent = v.InferOutput<typeof analyticsEventSchema>;
