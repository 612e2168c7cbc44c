import { expect, test } from 'vitest';
import { readBuildManifest } from './build-manifest.ts';
import type { SiteFiles } from './site-files.ts';

test('preloads scripts only: a style sheet that pages share comes in the page', () => {
  const manifest = {
    'index.html': { file: 'assets/index.js' },
    'src/web/app/start.ts': { file: 'assets/start.js' },
    '_form.js': { file: 'assets/form.js', css: ['assets/form.css'] },
    '_form.css': { file: 'assets/form.css' },
  };
  const modules = { 'src/web/routes/_auth/login.tsx?tsr-split=component': ['/assets/form.js', '/assets/form.css'] };
  const texts = new Map([
    ['/.vite/manifest.json', JSON.stringify(manifest)],
    ['/.vite/ssr-manifest.json', JSON.stringify(modules)],
    ['/assets/form.css', 'label{display:block}'],
  ]);
  const files: SiteFiles = new Map(
    [...texts].map(([path, text]) => [
      path,
      { type: 'text/plain', bodies: new Map([['identity', new TextEncoder().encode(text)]]) },
    ]),
  );
  const page = readBuildManifest(files).filesFor(['src/web/routes/_auth/login.tsx']);
  expect(page.preloads).toEqual(['/assets/start.js', '/assets/form.js']);
  expect(page.css).toBe('label{display:block}');
});
