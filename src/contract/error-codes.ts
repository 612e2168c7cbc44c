import type { Scene } from './scene.ts';

/** A page that opens in place of the one that called. */
export interface ErrorPage {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** the page is told the code, as `errCode` */
  readonly tellsCode?: true;
  /** it leads back to where the customer was, because the same call can never succeed without it */
  readonly detour?: true;
  /** only in this scene; in any other the toast says it */
  readonly scene?: Scene;
}

interface PolicyRule {
  readonly toast?: 'danger' | 'warning';
  readonly endsSession?: true;
  readonly opens?: ErrorPage;
}

/** What the storefront does with a code ([Rule: Errors]). */
const errorPolicies = {
  /** Not an error to the client layer: the screen that called decides. */
  pass: {},
  toast: { toast: 'danger' },
  stbLogin: {
    toast: 'danger',
    opens: { to: '/notice', search: { type: 'stbLoginErr' }, tellsCode: true, scene: 'STB' },
  },
  resetSilently: { endsSession: true },
  toastAndReset: { toast: 'danger', endsSession: true },
  warnAndLogin: { toast: 'warning', endsSession: true, opens: { to: '/login' } },
  notFound: { opens: { to: '/404' } },
  /** The pricing table says that this plan cannot be bought. */
  pricing: { opens: { to: '/pricing-table', search: { type: 'cannotBuyPlan' }, tellsCode: true } },
  resetPassword: { toast: 'danger', opens: { to: '/lost-password', search: { reason: 'upgrade' }, detour: true } },
} as const satisfies Readonly<Record<string, PolicyRule>>;

export type ErrorPolicy = keyof typeof errorPolicies;

/** The form fields at which a code can be shown. */
export type ErrorField =
  | 'account'
  | 'password'
  | 'code'
  | 'captcha'
  | 'email'
  | 'phone'
  | 'areaCode'
  | 'nickname'
  | 'cardNumber'
  | 'cardCode'
  | 'cardExpiry'
  | 'savedCard'
  | 'discountCode';

export interface ErrorEntry {
  /** Unique. Codes that share a meaning share a name, told apart by their number. */
  readonly name: string;
  readonly policy: ErrorPolicy;
  /** The HTTP status that the server sends with it. */
  readonly status: number;
  /** Where the customer can mend it, when typing something else there would. */
  readonly field?: ErrorField;
  /**
   * A try to pay ends with it, and no money has moved: its order is repaid. `withOrder`: only where the refusal names
   * the order; without one nothing was made.
   */
  readonly declines?: 'always' | 'withOrder';
  /** What helps a payment where the same once more does not. */
  readonly helps?: 'anotherMethod' | 'anotherPlan' | 'keepingTheAccount';
}

/**
 * Every code of [Rule: Errors], and 2007, 6000 and 6001, which have a policy there but no words. 4599 is our own: no code
 * there tells somebody who has asked for the deletion of the account why nothing can be bought.
 */
export const errorCodes = {
  // Account
  '1': { name: 'accountNotFound', policy: 'toast', status: 404, field: 'account' },
  '2': { name: 'accountNotFound2', policy: 'toast', status: 404, field: 'account' },
  '3': { name: 'wrongPassword', policy: 'toast', status: 401, field: 'password' },
  '4': { name: 'emailEmpty', policy: 'toast', status: 400, field: 'email' },
  '5': { name: 'accountFormat', policy: 'toast', status: 400, field: 'account' },
  '6': { name: 'accountExists', policy: 'toast', status: 409, field: 'account' },
  '7': { name: 'accountNotFound7', policy: 'toast', status: 404, field: 'account' },
  '8': { name: 'emailFormat', policy: 'toast', status: 400, field: 'email' },
  '9': { name: 'notVerified', policy: 'toast', status: 403 },
  '10': { name: 'codeExpired', policy: 'toast', status: 410, field: 'code' },
  '11': { name: 'wrongCode', policy: 'toast', status: 400, field: 'code' },
  '12': { name: 'emailEmpty12', policy: 'toast', status: 400, field: 'email' },
  '13': { name: 'accountExists13', policy: 'toast', status: 409, field: 'account' },
  '15': { name: 'userInfoFailed', policy: 'toast', status: 500 },
  '16': { name: 'accountInfoFailed', policy: 'toast', status: 500 },
  '17': { name: 'tooManyFailures', policy: 'toast', status: 423 },
  '21': { name: 'invalidToken', policy: 'resetSilently', status: 401 },
  '28': { name: 'invalidAccountCode', policy: 'toast', status: 400, field: 'account' },
  '29': { name: 'userInfoFailed29', policy: 'toast', status: 500 },
  '32': { name: 'phoneFormat', policy: 'toast', status: 400, field: 'phone' },
  '105': { name: 'accountUnavailable', policy: 'toast', status: 403 },
  '112': { name: 'accountUnavailable112', policy: 'toast', status: 403 },
  '187': { name: 'emailUnavailable', policy: 'toast', status: 409, field: 'email' },
  '197': { name: 'accountTypeRefused', policy: 'toast', status: 403 },
  '201': { name: 'loginFailed', policy: 'stbLogin', status: 401 },
  '203': { name: 'loginFailed203', policy: 'stbLogin', status: 401 },
  '3001': { name: 'invalidCredentials', policy: 'pass', status: 401 },
  '4596': { name: 'wrongAccountOrPassword', policy: 'toast', status: 401 },
  '7004': { name: 'loginBlocked', policy: 'toast', status: 423 },

  // Cards
  '301': { name: 'cardRejected', policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  '302': { name: 'insufficientFunds', policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  '306': { name: 'invalidCard', policy: 'pass', status: 400, declines: 'always' },
  '309': { name: 'cardExpired', policy: 'pass', status: 402, field: 'cardExpiry', declines: 'always' },
  '312': { name: 'invalidCard312', policy: 'pass', status: 400, declines: 'always' },
  '314': { name: 'wrongCardNumber', policy: 'pass', status: 400, field: 'cardNumber', declines: 'always' },
  '315': { name: 'wrongCardCode', policy: 'pass', status: 400, field: 'cardCode', declines: 'always' },
  '1014': { name: 'wrongCardNumber1014', policy: 'toast', status: 400, field: 'cardNumber', declines: 'always' },
  '5015': { name: 'rejectedByBank', policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },

  // Orders and payment
  '1000': { name: 'saveOrderFailed', policy: 'toast', status: 500 },
  '1001': { name: 'orderNotFound', policy: 'toast', status: 404 },
  '1003': { name: 'couponNotRemoved', policy: 'toast', status: 422, field: 'discountCode' },
  '1015': { name: 'placePaymentFailed', policy: 'toast', status: 409 },
  '1020': { name: 'cardMismatch', policy: 'toast', status: 403 },
  '1021': { name: 'cardRenews', policy: 'toast', status: 409 },
  '1022': { name: 'deleteCardFailed', policy: 'toast', status: 500 },
  '1030': { name: 'rateUnsupported', policy: 'toast', status: 422 },
  '1040': { name: 'paymentInfoNotFound', policy: 'toast', status: 404 },
  '1300': { name: 'emptyOrder', policy: 'toast', status: 422 },
  '2000': { name: 'serverError', policy: 'toast', status: 500 },
  '2001': { name: 'serverError2001', policy: 'toast', status: 500 },
  '2002': { name: 'billingCardNotUpdated', policy: 'pass', status: 422 },
  '2003': { name: 'paymentFailed', policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  '2005': { name: 'serverError2005', policy: 'toast', status: 500 },
  '2006': { name: 'serverError2006', policy: 'toast', status: 500 },
  '2007': { name: 'paymentFailed2007', policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  '2008': { name: 'planUnavailable', policy: 'toast', status: 422, helps: 'anotherPlan' },
  '2500': { name: 'resetPasswordFirst', policy: 'resetPassword', status: 403 },
  '-2500': { name: 'resetPasswordFirst_2500', policy: 'resetPassword', status: 403 },
  '-2511': { name: 'savedCardNotFound', policy: 'toast', status: 404, field: 'savedCard' },
  '-2502': { name: 'methodUnsupported', policy: 'toast', status: 422, declines: 'withOrder', helps: 'anotherMethod' },
  '-2400': { name: 'invalidCard_2400', policy: 'toast', status: 400, declines: 'always' },
  '-2499': { name: 'internalError', policy: 'toast', status: 500 },
  '-2602': { name: 'noReceivingAccount', policy: 'toast', status: 500, declines: 'withOrder', helps: 'anotherMethod' },
  '-2408': { name: 'currencyUnsupported', policy: 'toast', status: 422 },
  '6000': { name: 'cannotBuyPlan', policy: 'pricing', status: 403 },
  '6001': { name: 'pageNotFound', policy: 'notFound', status: 404 },

  // Renewal
  '6201': { name: 'renewalNotFound', policy: 'toast', status: 404 },
  '6202': { name: 'renewalExpired', policy: 'toast', status: 410 },
  '6204': { name: 'renewalCancelled', policy: 'toast', status: 409 },
  '6206': { name: 'renewalCardUnavailable', policy: 'toast', status: 422 },
  '6207': { name: 'renewalUnderWay', policy: 'toast', status: 409 },

  // Codes and others
  '4000': { name: 'areaCodeEmpty', policy: 'toast', status: 400, field: 'areaCode' },
  '4597': { name: 'codeNotSent', policy: 'toast', status: 503 },
  '4598': { name: 'operationUnsupported', policy: 'toast', status: 422 },
  '4599': { name: 'accountLeaves', policy: 'toast', status: 409, helps: 'keepingTheAccount' },
  '5000': { name: 'invalidRequest', policy: 'pass', status: 400 },
  '5003': { name: 'countryUnsupported', policy: 'pass', status: 403 },
  '5008': { name: 'systemError', policy: 'pass', status: 500 },
  '6699': { name: 'invalidUid', policy: 'toast', status: 400 },
  '9000': { name: 'couponUnavailable', policy: 'toast', status: 422, field: 'discountCode' },
  '9001': { name: 'invalidCoupon', policy: 'toast', status: 422, field: 'discountCode' },
  '9002': { name: 'invalidCoupon9002', policy: 'toast', status: 422, field: 'discountCode' },
  '9003': { name: 'couponUsedUp', policy: 'toast', status: 422, field: 'discountCode' },
  '9991': { name: 'couponNotVerified', policy: 'toast', status: 422, field: 'discountCode' },
  '10024': { name: 'accountNotFound10024', policy: 'toast', status: 404, field: 'account' },
  '10025': { name: 'accountInUse', policy: 'toast', status: 409, field: 'account' },
  '10026': { name: 'resetPasswordFailed', policy: 'toast', status: 422 },
  '10027': { name: 'activationFailed', policy: 'toast', status: 422 },
  '10028': { name: 'emailNotSent', policy: 'toast', status: 503 },
  '10029': { name: 'wrongCode10029', policy: 'toast', status: 400, field: 'code' },
  '10302': { name: 'linkGone', policy: 'toast', status: 410 },
  '10303': { name: 'emailBindingFailed', policy: 'toast', status: 422 },

  // Tokens and login
  '-24010': { name: 'tokenMissing', policy: 'resetSilently', status: 401 },
  '-24020': { name: 'tokenExpired', policy: 'resetSilently', status: 401 },
  '-24030': { name: 'tokenError', policy: 'warnAndLogin', status: 401 },
  '-24031': { name: 'unauthorized', policy: 'toast', status: 401 },
  '-24040': { name: 'serviceBusy', policy: 'toast', status: 503 },
  '-24050': { name: 'invalidParameter', policy: 'toast', status: 400 },
  '-1112': { name: 'serverErrorReset', policy: 'toastAndReset', status: 500 },
  '-2223': { name: 'tenantError', policy: 'toast', status: 422 },
  '-3031': { name: 'tooFrequent', policy: 'toast', status: 429, declines: 'withOrder' },
  '-3032': { name: 'wrongCode_3032', policy: 'toast', status: 400, field: 'code' },
  '-3033': { name: 'codeNotFound', policy: 'toast', status: 404, field: 'code' },
  '-3034': { name: 'codeExpired_3034', policy: 'toast', status: 410, field: 'code' },
  '-3035': { name: 'wrongCaptcha', policy: 'toast', status: 400, field: 'captcha' },
  '-3036': { name: 'configError', policy: 'toast', status: 500 },
  '-3039': { name: 'loginFailedRefresh', policy: 'toast', status: 401 },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** A code of the catalogue, as the number that travels in `errCode`. */
export type ErrorCode = keyof typeof errorCodes extends infer Key
  ? Key extends `${infer Code extends number}`
    ? Code
    : never
  : never;

const entries: Readonly<Record<string, ErrorEntry>> = errorCodes;

/** The entry of a code, or undefined when it is in no table (0, which is success, among them). */
export function errorEntry(code: number): ErrorEntry | undefined {
  return isErrorCode(code) ? entries[code] : undefined;
}

/** Whether the catalogue has this code. */
export function isErrorCode(code: number): code is ErrorCode {
  return Object.hasOwn(entries, code);
}

/** What a provider ends a try to pay with; -3031 where it was asked the same too quickly. */
export const declineCodes: readonly ErrorCode[] = Object.keys(entries)
  .map(Number)
  .filter(isErrorCode)
  .filter((code) => entries[code]?.declines !== undefined);

const policyRules: Readonly<Record<ErrorPolicy, PolicyRule>> = errorPolicies;

/** What the storefront does about a code; one that is in no table has its toast. */
export function errorRule(code: number): PolicyRule {
  return policyRules[errorEntry(code)?.policy ?? 'toast'];
}

/** What the page that a code opens is told: the code, and the plan that it is about. */
export function searchOf(
  code: number,
  { search, tellsCode }: ErrorPage,
  planId?: string,
): Readonly<Record<string, string>> {
  return { ...search, ...(tellsCode && { errCode: String(code), ...(planId !== undefined && { planId }) }) };
}
