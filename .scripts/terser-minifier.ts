import { minify } from 'terser';
import type { Plugin } from 'vite';

/** The chunks of a first visit; minifying the others would take longer than it saves. */
const first = new Set(['index', 'vendor', 'start', 'main', 'plans', 'form', 'plan']);

/**
 * Runs Terser before Rolldown's own minifier: it inlines values that are used once, which saves 1 KB on a first visit.
 */
export function terserMinifier(): Plugin {
  return {
    name: 'marquee:terser-minifier',
    apply: 'build',
    async renderChunk(code, { name }) {
      if (!first.has(name)) return undefined;
      const { code: smaller = code } = await minify(code, {
        module: true,
        ecma: 2020,
        mangle: false,
        compress: { passes: 2 },
      });
      return { code: smaller, map: null };
    },
  };
}
