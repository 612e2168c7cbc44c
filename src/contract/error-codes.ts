import type { Scene } from './scene.ts';

/** A page that replaces the current one after an error. */
export interface ErrorPage {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** the page receives the code, as `errCode` */
  readonly tellsCode?: true;
  /** the page returns the customer afterwards, because the same call cannot succeed without it */
  readonly detour?: true;
  /** only in this scene; other scenes show the toast */
  readonly scene?: Scene;
}

interface PolicyRule {
  readonly toast?: 'danger' | 'warning';
  readonly endsSession?: true;
  readonly opens?: ErrorPage;
}

/** How the storefront handles an error. */
const errorPolicies = {
  /** The client layer does nothing: the calling screen decides. */
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
  /** The pricing table shows that this plan cannot be bought. */
  pricing: { opens: { to: '/pricing-table', search: { type: 'cannotBuyPlan' }, tellsCode: true } },
  resetPassword: { toast: 'danger', opens: { to: '/lost-password', search: { reason: 'upgrade' }, detour: true } },
} as const satisfies Readonly<Record<string, PolicyRule>>;

export type ErrorPolicy = keyof typeof errorPolicies;

/** The form fields that can show an error. */
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
  /** the value of `errCode` */
  readonly code: number;
  readonly policy: ErrorPolicy;
  /** HTTP status of the response. */
  readonly status: number;
  /** The field to correct, if correcting it can help. */
  readonly field?: ErrorField;
  /**
   * The error ends a payment attempt and no money has moved: the order can be repaid. `withOrder`: only if the error
   * names the order; without one no order was created.
   */
  readonly declines?: 'always' | 'withOrder';
  /** What helps a payment if repeating it does not. */
  readonly helps?: 'anotherMethod' | 'anotherPlan' | 'keepingTheAccount';
}

/**
 * Every error of the specification by name, and 2007, 6000 and 6001, which have a policy there but no text. Two are
 * additions: 4599 explains that nothing can be bought while the account's deletion is pending, 4600 asks for a DPoP
 * proof with the time of the answer. If several codes have one meaning, the names of the later ones end with the code.
 */
export const errors = {
  // Account
  accountNotFound: { code: 1, policy: 'toast', status: 404, field: 'account' },
  accountNotFound2: { code: 2, policy: 'toast', status: 404, field: 'account' },
  wrongPassword: { code: 3, policy: 'toast', status: 401, field: 'password' },
  emailEmpty: { code: 4, policy: 'toast', status: 400, field: 'email' },
  accountFormat: { code: 5, policy: 'toast', status: 400, field: 'account' },
  accountExists: { code: 6, policy: 'toast', status: 409, field: 'account' },
  accountNotFound7: { code: 7, policy: 'toast', status: 404, field: 'account' },
  emailFormat: { code: 8, policy: 'toast', status: 400, field: 'email' },
  notVerified: { code: 9, policy: 'toast', status: 403 },
  codeExpired: { code: 10, policy: 'toast', status: 410, field: 'code' },
  wrongCode: { code: 11, policy: 'toast', status: 400, field: 'code' },
  emailEmpty12: { code: 12, policy: 'toast', status: 400, field: 'email' },
  accountExists13: { code: 13, policy: 'toast', status: 409, field: 'account' },
  userInfoFailed: { code: 15, policy: 'toast', status: 500 },
  accountInfoFailed: { code: 16, policy: 'toast', status: 500 },
  tooManyFailures: { code: 17, policy: 'toast', status: 423 },
  invalidToken: { code: 21, policy: 'resetSilently', status: 401 },
  invalidAccountCode: { code: 28, policy: 'toast', status: 400, field: 'account' },
  userInfoFailed29: { code: 29, policy: 'toast', status: 500 },
  phoneFormat: { code: 32, policy: 'toast', status: 400, field: 'phone' },
  accountUnavailable: { code: 105, policy: 'toast', status: 403 },
  accountUnavailable112: { code: 112, policy: 'toast', status: 403 },
  emailUnavailable: { code: 187, policy: 'toast', status: 409, field: 'email' },
  accountTypeRefused: { code: 197, policy: 'toast', status: 403 },
  loginFailed: { code: 201, policy: 'stbLogin', status: 401 },
  loginNotAllowed: { code: 203, policy: 'stbLogin', status: 401 },
  invalidCredentials: { code: 3001, policy: 'pass', status: 401 },
  wrongAccountOrPassword: { code: 4596, policy: 'toast', status: 401 },
  loginBlocked: { code: 7004, policy: 'toast', status: 423 },

  // Cards
  cardRejected: { code: 301, policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  insufficientFunds: { code: 302, policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  invalidCard: { code: 306, policy: 'pass', status: 400, declines: 'always' },
  cardExpired: { code: 309, policy: 'pass', status: 402, field: 'cardExpiry', declines: 'always' },
  invalidCard312: { code: 312, policy: 'pass', status: 400, declines: 'always' },
  wrongCardNumber: { code: 314, policy: 'pass', status: 400, field: 'cardNumber', declines: 'always' },
  wrongCardCode: { code: 315, policy: 'pass', status: 400, field: 'cardCode', declines: 'always' },
  wrongCardNumber1014: { code: 1014, policy: 'toast', status: 400, field: 'cardNumber', declines: 'always' },
  rejectedByBank: { code: 5015, policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },

  // Orders and payment
  saveOrderFailed: { code: 1000, policy: 'toast', status: 500 },
  orderNotFound: { code: 1001, policy: 'toast', status: 404 },
  couponNotRemoved: { code: 1003, policy: 'toast', status: 422, field: 'discountCode' },
  placePaymentFailed: { code: 1015, policy: 'toast', status: 409 },
  cardMismatch: { code: 1020, policy: 'toast', status: 403 },
  cardRenews: { code: 1021, policy: 'toast', status: 409 },
  deleteCardFailed: { code: 1022, policy: 'toast', status: 500 },
  rateUnsupported: { code: 1030, policy: 'toast', status: 422 },
  paymentInfoNotFound: { code: 1040, policy: 'toast', status: 404 },
  emptyOrder: { code: 1300, policy: 'toast', status: 422 },
  serverError: { code: 2000, policy: 'toast', status: 500 },
  changeFailed: { code: 2001, policy: 'toast', status: 500 },
  billingCardNotUpdated: { code: 2002, policy: 'pass', status: 422 },
  paymentFailed: { code: 2003, policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  serverError2005: { code: 2005, policy: 'toast', status: 500 },
  serverError2006: { code: 2006, policy: 'toast', status: 500 },
  paymentCancelled: { code: 2007, policy: 'pass', status: 402, declines: 'always', helps: 'anotherMethod' },
  planUnavailable: { code: 2008, policy: 'toast', status: 422, helps: 'anotherPlan' },
  resetPasswordFirst: { code: 2500, policy: 'resetPassword', status: 403 },
  resetPasswordFirst_2500: { code: -2500, policy: 'resetPassword', status: 403 },
  savedCardNotFound: { code: -2511, policy: 'toast', status: 404, field: 'savedCard' },
  methodUnsupported: { code: -2502, policy: 'toast', status: 422, declines: 'withOrder', helps: 'anotherMethod' },
  cardNotKept: { code: -2400, policy: 'toast', status: 400, declines: 'always' },
  internalError: { code: -2499, policy: 'toast', status: 500 },
  noReceivingAccount: { code: -2602, policy: 'toast', status: 500, declines: 'withOrder', helps: 'anotherMethod' },
  currencyUnsupported: { code: -2408, policy: 'toast', status: 422 },
  cannotBuyPlan: { code: 6000, policy: 'pricing', status: 403 },
  pageNotFound: { code: 6001, policy: 'notFound', status: 404 },

  // Renewal
  renewalNotFound: { code: 6201, policy: 'toast', status: 404 },
  renewalExpired: { code: 6202, policy: 'toast', status: 410 },
  renewalCancelled: { code: 6204, policy: 'toast', status: 409 },
  renewalCardUnavailable: { code: 6206, policy: 'toast', status: 422 },
  renewalUnderWay: { code: 6207, policy: 'toast', status: 409 },

  // Codes and others
  areaCodeEmpty: { code: 4000, policy: 'toast', status: 400, field: 'areaCode' },
  codeNotSent: { code: 4597, policy: 'toast', status: 503 },
  operationUnsupported: { code: 4598, policy: 'toast', status: 422 },
  accountLeaves: { code: 4599, policy: 'toast', status: 409, helps: 'keepingTheAccount' },
  invalidRequest: { code: 5000, policy: 'pass', status: 400 },
  countryUnsupported: { code: 5003, policy: 'pass', status: 403 },
  systemError: { code: 5008, policy: 'pass', status: 500 },
  invalidUid: { code: 6699, policy: 'toast', status: 400 },
  couponUnavailable: { code: 9000, policy: 'toast', status: 422, field: 'discountCode' },
  invalidCoupon: { code: 9001, policy: 'toast', status: 422, field: 'discountCode' },
  couponNotUsable: { code: 9002, policy: 'toast', status: 422, field: 'discountCode' },
  couponUsedUp: { code: 9003, policy: 'toast', status: 422, field: 'discountCode' },
  couponNotVerified: { code: 9991, policy: 'toast', status: 422, field: 'discountCode' },
  unknownAccount: { code: 10024, policy: 'toast', status: 404, field: 'account' },
  accountInUse: { code: 10025, policy: 'toast', status: 409, field: 'account' },
  resetPasswordFailed: { code: 10026, policy: 'toast', status: 422 },
  activationFailed: { code: 10027, policy: 'toast', status: 422 },
  emailNotSent: { code: 10028, policy: 'toast', status: 503 },
  wrongCode10029: { code: 10029, policy: 'toast', status: 400, field: 'code' },
  linkGone: { code: 10302, policy: 'toast', status: 410 },
  emailBindingFailed: { code: 10303, policy: 'toast', status: 422 },

  // Tokens and login
  tokenMissing: { code: -24010, policy: 'resetSilently', status: 401 },
  tokenExpired: { code: -24020, policy: 'resetSilently', status: 401 },
  tokenError: { code: -24030, policy: 'warnAndLogin', status: 401 },
  unauthorized: { code: -24031, policy: 'toast', status: 401 },
  staleProof: { code: 4600, policy: 'toast', status: 401 },
  serviceBusy: { code: -24040, policy: 'toast', status: 503 },
  invalidParameter: { code: -24050, policy: 'toast', status: 400 },
  serverErrorReset: { code: -1112, policy: 'toastAndReset', status: 500 },
  tenantError: { code: -2223, policy: 'toast', status: 422 },
  tooFrequent: { code: -3031, policy: 'toast', status: 429, declines: 'withOrder' },
  wrongPaymentCode: { code: -3032, policy: 'toast', status: 400, field: 'code' },
  codeNotFound: { code: -3033, policy: 'toast', status: 404, field: 'code' },
  requestExpired: { code: -3034, policy: 'toast', status: 410, field: 'code' },
  wrongCaptcha: { code: -3035, policy: 'toast', status: 400, field: 'captcha' },
  configError: { code: -3036, policy: 'toast', status: 500 },
  loginFailedRefresh: { code: -3039, policy: 'toast', status: 401 },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorName = keyof typeof errors;

const entries: Readonly<Record<ErrorName, ErrorEntry>> = errors;
// as: TypeScript types object keys as strings
const errorNames = Object.keys(errors) as readonly ErrorName[];
const names = new Map(errorNames.map((name) => [entries[name].code, name]));

/** The error of a code; undefined without a code or for an unknown one, such as 0 (success). */
export const errorNameOf = (code: number | null | undefined): ErrorName | undefined => names.get(code ?? 0);

/** The catalogue entry of an error. */
export function errorEntry(name: ErrorName | undefined): ErrorEntry | undefined {
  return name && entries[name];
}

export const errorCode = (name: ErrorName): number => entries[name].code;

/** The failure of a code that was stored or sent by a provider; `paymentFailed` for any other code. */
export function paymentFailureOf(code: number | null | undefined): PaymentFailure {
  const name = errorNameOf(code);
  return isFailure(name) ? name : 'paymentFailed';
}

/** What can end a payment attempt at a provider: a decline, or an unsupported currency. */
export type PaymentFailure =
  | { [Name in ErrorName]: (typeof errors)[Name] extends { readonly declines: string } ? Name : never }[ErrorName]
  | 'currencyUnsupported';

const isFailure = (name: ErrorName | undefined): name is PaymentFailure =>
  errorEntry(name)?.declines !== undefined || name === 'currencyUnsupported';

/** Includes `tooFrequent`, for providers that refuse repeated requests. */
export const paymentFailures: readonly PaymentFailure[] = errorNames.filter(isFailure);

const policyRules: Readonly<Record<ErrorPolicy, PolicyRule>> = errorPolicies;

/** How the storefront handles an error; unknown errors show a toast. */
export function errorRule(name: ErrorName | undefined): PolicyRule {
  return policyRules[errorEntry(name)?.policy ?? 'toast'];
}

/** Search parameters of the page that an error opens: the code, and the plan concerned. */
export function searchOf(
  code: number,
  { search, tellsCode }: ErrorPage,
  planId?: string,
): Readonly<Record<string, string>> {
  return { ...search, ...(tellsCode && { errCode: String(code), ...(planId !== undefined && { planId }) }) };
}
