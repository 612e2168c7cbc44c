const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/** Session lifetime after login, in milliseconds: 10 days. */
export const sessionLengthMs = 10 * dayMs;

/**
 * How far the time of a DPoP proof may differ from the server's clock, in milliseconds. A request may wait for a slow
 * network, and the storefront knows that clock to a second or two.
 */
export const proofAgeMs = { past: 300 * secondMs, future: 60 * secondMs } as const;

/** Timeout of an API call, in milliseconds: 60 s. */
export const requestTimeoutMs = 60 * secondMs;

/** Timeout for loading a chunk of the storefront, in milliseconds: 120 s. */
export const chunkLoadTimeoutMs = 120 * secondMs;

/** Seconds until another code can be requested, unless `caffeineRegionVerify` differs. */
export const defaultCountdownSeconds = 60;

/** Up to this window width in CSS pixels, the client type is WAP. */
export const mobileBreakpointPx = 760;

/** Digits of a verification code. */
export const verificationCodeDigits = 4;

/** Minimum length of a password. */
export const minPasswordLength = 6;

/** Maximum length of a password, because the cost of hashing grows with it. */
export const maxPasswordLength = 200;

/** Digits of the area code of a phone number. */
export const areaCodeDigits = 2;

/** Days in which a payment slip (boleto) can be paid. */
export const slipValidityDays = 5;

/** Number of recent logins that the account page shows. */
export const shownLoginRecords = 5;

/** Days of each period of the discount labels. */
export const periodDays = { month: 30, halfYear: 180, year: 365 } as const;

/** Email domains that the login suggests if the site config lists none. */
export const defaultEmailSuffixes = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com.br',
  'icloud.com',
  'uol.com.br',
] as const;

/** The version that analytics events carry. */
export const analyticsVersion = '2.3.2';

/** Page IDs of analytics run from 1 to this. */
export const lastAnalyticsPageId = 17;

/** Maximum body of a JSON request, in bytes: 64 KiB. */
export const bodyLimitBytes = 64 * 1024;

/** Maximum size of an uploaded proof of payment, in bytes: 4 MiB. */
export const uploadLimitBytes = 4 * 1024 * 1024;
