import type { Plugin } from 'vite';

const begins = 'function number(locales, value, format) {\n';
/** below any grouping, and without a sign */
const small = '  if (!format && Number.isInteger(value) && value >= 0 && value < 1000) return String(value);\n';

/**
 * The `#` of a plural without `Intl.NumberFormat` where it stands for a small count, as it does on the first pages
 * ([Note: Numbers]). The build fails where lingui writes its function otherwise.
 */
export function leanLingui(): Plugin {
  return {
    name: 'marquee:lean-lingui',
    apply: 'build',
    transform: {
      filter: { id: /\/@lingui\/core\/dist\/index\.mjs$/ },
      handler(code) {
        if (!code.includes(begins)) throw new Error('The numbers of @lingui/core are not what they were');
        return { code: code.replace(begins, begins + small), map: null };
      },
    },
  };
}
