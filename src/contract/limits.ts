const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/** How long a session lasts after login, in milliseconds: 10 days (spec 9). */
export const sessionLengthMs = 10 * dayMs;

/** After how long a call to the API is given up, in milliseconds: 60 s (spec 7 and 9). */
export const requestTimeoutMs = 60 * secondMs;

/** After how long loading a part of the storefront is given up, in milliseconds: 120 s (spec 9). */
export const chunkLoadTimeoutMs = 120 * secondMs;

/** Seconds until a code can be asked for again, unless `caffeineRegionVerify` says otherwise (spec 3 and 9). */
export const defaultCountdownSeconds = 60;

/** At this window width in CSS pixels, or less, the client type is WAP (spec 4 and 9). */
export const mobileBreakpointPx = 760;

/** Digits of a verification code (spec 5 and 9). */
export const verificationCodeDigits = 4;

/** Characters that a password has at least (spec 5 and 9). */
export const minPasswordLength = 6;

/** Characters that a password has at most, because hashing costs by length. */
export const maxPasswordLength = 200;

/** Digits of a card's security code (spec 5). */
export const cardCodeDigits = { min: 3, max: 4 } as const;

/** Digits of the area code of a phone number (spec 5 and 9). */
export const areaCodeDigits = 2;

/** Days in which a payment slip (boleto) can be paid (spec 4 and 9). */
export const slipValidityDays = 5;

/** How many of the latest logins the account page shows (spec 2 and 9). */
export const shownLoginRecords = 5;

/** The interface language where nothing else decides (spec 1 and 9). */
export const defaultLanguage = 'pt';

/** The ISO 4217 currency where nothing else decides (spec 1 and 9). */
export const defaultCurrency = 'BRL';

/** The installment count that is chosen at first (spec 1 and 9). */
export const defaultInstallments = 3;

/** Days of each period of the discount labels (spec 9). */
export const periodDays = { month: 30, halfYear: 180, year: 365 } as const;

/**
 * Mail hosts that the login suggests where the site config lists none. Spec 9 hides the names and
 * shows only their shape: six hosts, of which the fourth and the sixth end in `.br`.
 */
export const defaultEmailSuffixes = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com.br',
  'icloud.com',
  'uol.com.br',
] as const;

/** The symbol of each ISO 4217 currency (spec 9); ICU's own differ (decisions, "Language, brand, scene"). */
export const currencySymbols = {
  USD: '$',
  BRL: 'R$',
  ARS: '$',
  CLP: '$',
  COP: '$',
  MXN: 'MXN',
  PEN: 'S/.',
  UYU: '$U',
  ZAR: 'R',
  PHP: '₱',
  RUB: '₽',
} as const;

/** Decimals of a formatted number where its currency says nothing else (spec 9). */
export const defaultDecimals = 2;

/** Digits of a timestamp: epoch milliseconds, UTC (spec 9). */
export const timestampDigits = 13;

/** The version that analytics events carry (spec 9). */
export const analyticsVersion = '2.3.2';

/** Page ids of analytics run from 1 to this (spec 9). */
export const lastAnalyticsPageId = 17;

/** How long the server remembers an idempotency key, in milliseconds: 400 days (decisions, "Paying"). */
export const idempotencyKeyLifetimeMs = 400 * dayMs;

/** The largest body of a JSON request, in bytes: 64 KiB (our own choice; the spec is silent). */
export const bodyLimitBytes = 64 * 1024;

/** The largest picture or document of a transfer that can be sent, in bytes: 4 MiB (our own choice; the spec is silent). */
export const uploadLimitBytes = 4 * 1024 * 1024;
