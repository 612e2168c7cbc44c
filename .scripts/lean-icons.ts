import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ours = fileURLToPath(new URL('../src/web/ui/create-icon.tsx', import.meta.url));

/**
 * The icons of the set without its component, which can do ten things that this storefront never asks for and weighs more
 * than all icons of a first visit: `ui/create-icon.tsx` takes its place. What the set says of an icon beside its lines (names
 * of former times, keys for a list that never changes) is left out.
 */
export function leanIcons(): Plugin {
  return {
    name: 'marquee:lean-icons',
    apply: 'build',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/(?:createLucideIcon|icons\/[\w-]+)\.mjs$/ },
      handler(code, id) {
        if (id.endsWith('/createLucideIcon.mjs'))
          return { code: `export { createIcon as default } from ${JSON.stringify(ours)};`, map: null };
        return { code: code.replaceAll(/,\s*key: "\w+"/g, '').replace(/,\s*aliases: \[[^\]]*\]/, ''), map: null };
      },
    },
  };
}
