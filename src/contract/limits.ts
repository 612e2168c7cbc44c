const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/** How long a session lasts after login, in milliseconds: 10 days. */
export const sessionLengthMs = 10 * dayMs;

/** After how long a call to the API is given up, in milliseconds: 60 s. */
export const requestTimeoutMs = 60 * secondMs;

/** After how long loading a part of the storefront is given up, in milliseconds: 120 s. */
export const chunkLoadTimeoutMs = 120 * secondMs;

/** Seconds until a code can be asked for again, unless `caffeineRegionVerify` says otherwise. */
export const defaultCountdownSeconds = 60;

/** At this window width in CSS pixels, or less, the client type is WAP. */
export const mobileBreakpointPx = 760;

/** Digits of a verification code. */
export const verificationCodeDigits = 4;

/** Characters that a password has at least. */
export const minPasswordLength = 6;

/** Characters that a password has at most, because hashing costs by length. */
export const maxPasswordLength = 200;

/** Digits of the area code of a phone number. */
export const areaCodeDigits = 2;

/** Days in which a payment slip (boleto) can be paid. */
export const slipValidityDays = 5;

/** How many of the latest logins the account page shows. */
export const shownLoginRecords = 5;

/** The installment count that is chosen at first. */
export const defaultInstallments = 3;

/** Days of each period of the discount labels. */
export const periodDays = { month: 30, halfYear: 180, year: 365 } as const;

/** Mail hosts that the login suggests where the site config lists none. */
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

/** Page ids of analytics run from 1 to this. */
export const lastAnalyticsPageId = 17;

/** The largest body of a JSON request, in bytes: 64 KiB. */
export const bodyLimitBytes = 64 * 1024;

/** The largest picture or document of a transfer that can be sent, in bytes: 4 MiB. */
export const uploadLimitBytes = 4 * 1024 * 1024;
