import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';
import { languages } from './src/contract/fields.ts';

/** Sources whose words are fetched with the customer's own pages ([Note: Words by part] in src/web/platform/i18n/catalogs.ts). */
const customer = [
  ...[
    'checkout',
    'payment-result',
    'orders',
    'tv',
    'account',
    'renewal',
    'settings',
    'plans/customer',
    'home/customer',
  ].map((feature) => `src/web/features/${feature}`),
  ...['payments', 'notifications'].map((noun) => `src/web/domain/${noun}`),
];

const customerFiles = ['customer-area', 'saved-stamp'].map((part) => `src/web/shells/${part}.tsx`);

/** Sources whose words are fetched with what stands behind the login form: other ways in, recovery, sign-up. */
const identity = [
  ...['register', 'recovery', 'auth/sign-on'].map((feature) => `src/web/features/${feature}`),
  ...['account', 'auth/captcha', 'auth/codes', 'auth/sign-on'].map((noun) => `src/web/domain/${noun}`),
];

/** Of pages whose other words are there at once: fetched with those of sign-up and recovery when they are needed. */
const identityFiles = [
  ...[
    'confirm-here.tsx',
    'confirm-owner.tsx',
    'use-confirm-owner.ts',
    'mail-sent.tsx',
    'use-mail-request.ts',
    'use-resend.ts',
    'in-app-notice.tsx',
    'open-in-browser.tsx',
    'passkey-login.tsx',
    'web-authn.ts',
  ].map((file) => `src/web/domain/auth/${file}`),
  'src/web/domain/auth/email-suggestion.tsx',
  'src/web/features/auth/login-notice.tsx',
];

/** The words of error codes, fetched with the first refusal, and of an act that takes long. */
const errors = ['src/web/platform/i18n/error-messages.ts', 'src/web/platform/api/still-trying.ts'];

/** All whose words may not have come; those of every other source have, wherever the storefront runs at all. */
export const fetchedLater = [
  ...[...customer, ...identity].map((path) => `${path}/**`),
  ...customerFiles,
  ...identityFiles,
  ...errors,
];

export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['src/web'],
      exclude: [...fetchedLater, '**/*.test.*'],
    },
    { path: '<rootDir>/locales/customer/{locale}', include: [...customer, ...customerFiles], exclude: ['**/*.test.*'] },
    { path: '<rootDir>/locales/identity/{locale}', include: [...identity, ...identityFiles], exclude: ['**/*.test.*'] },
    { path: '<rootDir>/locales/errors/{locale}', include: errors },
    // mail, SMS, push, manifest, and what stands in a page before the storefront does ([Note: Words of the server])
    { path: '<rootDir>/locales/server/{locale}', include: ['src/server'], exclude: ['**/*.test.*'] },
  ],
  format: formatter({ origins: false, lineNumbers: false }),
  orderBy: 'messageId',
});
