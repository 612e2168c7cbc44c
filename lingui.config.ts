import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt', 'es', 'ru'],
  catalogs: [{ path: '<rootDir>/locales/{locale}', include: ['src/web'] }],
  format: formatter({ origins: false, lineNumbers: false }),
  orderBy: 'messageId',
});
