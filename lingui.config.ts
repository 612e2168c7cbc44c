import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';
import { languages } from './src/contract/fields.ts';

/**
 * The sources of public pages: their messages are loaded with the first page. All others are in the private catalogue,
 * which is fetched when it is needed (src/web/platform/i18n/catalogs.ts).
 */
export const publicSources = [
  'ui/{dialog,field,saved-stamp,toast}.tsx',
  'platform/pwa/**/*.{ts,tsx}',
  'platform/api/error-message.ts',
  'domain/auth/{account-fields,account-rules,google-button,submit-button}.{ts,tsx}',
  'shells/{auth-layout,content,extras,header,main-layout}.tsx',
  'features/{help,home,plans}/*.{ts,tsx}',
  'features/errors/{error-page,not-found-page}.tsx',
  'features/auth/{login-page,other-login-methods}.tsx',
  'routes/-route-error.tsx',
  'routes/_auth/*.tsx',
  'routes/_main/{404,500,help,index,plan-details.$id,pricing-table,privacy}.tsx',
].map((path) => `src/web/${path}`);

const exclude = ['**/*.test.*'];

export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  catalogs: [
    { path: '<rootDir>/locales/{locale}', include: publicSources, exclude },
    { path: '<rootDir>/locales/private/{locale}', include: ['src/web'], exclude: [...publicSources, ...exclude] },
    // messages of emails, SMS, push and the manifest, and of a page before the storefront starts
    { path: '<rootDir>/locales/server/{locale}', include: ['src/server'], exclude },
  ],
  format: formatter({ origins: false, lineNumbers: false }),
  orderBy: 'messageId',
});
