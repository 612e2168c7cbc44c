import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** Sources whose words are fetched with the customer's own pages ([Note: Words by part] in src/web/i18n/catalogs.ts). */
const customer = ['checkout', 'payment-result', 'orders', 'stb-orders', 'account', 'receipt']
  .map((feature) => `src/web/features/${feature}`)
  .concat('src/web/payment-state', 'src/web/customer-area');

/** Sources whose words are fetched with what stands behind the login form: other ways in, recovery, sign-up. */
const identity = [
  'src/web/features/register',
  'src/web/features/recovery',
  'src/web/features/arriving',
  'src/web/identity',
  'src/web/captcha',
];

/** The words of error codes, fetched with the first refusal. */
const errors = ['src/web/i18n/error-messages.ts'];

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt', 'es', 'ru'],
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['src/web'],
      exclude: [...[...customer, ...identity].map((path) => `${path}/**`), ...errors, '**/*.test.*'],
    },
    { path: '<rootDir>/locales/customer/{locale}', include: customer, exclude: ['**/*.test.*'] },
    { path: '<rootDir>/locales/identity/{locale}', include: identity, exclude: ['**/*.test.*'] },
    { path: '<rootDir>/locales/errors/{locale}', include: errors },
  ],
  format: formatter({ origins: false, lineNumbers: false }),
  orderBy: 'messageId',
});
