import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { VitePWA } from 'vite-plugin-pwa';
import { importMap } from './.scripts/import-map.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Macros become message ids; without this preset the build passes and the macros reach the browser. */
const macros = () => babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] });

const routes = () =>
  tanstackRouter({
    target: 'react',
    autoCodeSplitting: true,
    // A route's loader comes with its page: most visitors see one or two of them.
    codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
    routesDirectory: here('src/web/routes'),
    generatedRouteTree: here('src/web/routeTree.gen.ts'),
    routeFileIgnorePattern: '\\.(test|module)\\.',
    quoteStyle: 'single',
    semicolons: true,
  });

/**
 * The service worker is our own; the plugin builds it and lists what it keeps. The plugin would name the result after
 * the source, so it is told the result (`/sw.js`) and where the source really is. Pictures are kept as they are seen.
 */
const worker = () =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/sw',
    filename: 'sw.js',
    injectRegister: false,
    manifest: false,
    injectManifest: { globPatterns: ['index.html', 'assets/**/*.{js,css}'], rollupFormat: 'iife' },
    integration: {
      configureCustomSWViteBuild({ build }) {
        if (build?.lib) build.lib.entry = here('src/sw/index.ts');
      },
    },
  });

/**
 * Few files, because each costs a round trip on a slow network: what every page runs on in one, and small pieces that
 * pages share are put together. The rest is split by route.
 */
const chunks = {
  groups: [
    { name: 'vendor', test: /node_modules/, tags: ['$initial' as const], priority: 3 },
    { name: 'shop', test: /src[\\/](contract|web)[\\/](?!main\.tsx)/, tags: ['$initial' as const], priority: 3 },
    {
      name: 'page',
      test: /src[\\/]web[\\/](ui[\\/](?!art|field|checkbox|or-divider|countdown|problem|sections|dialog)|shells|api[\\/](query|transport))|contract[\\/]endpoint|react-query|query-core|lucide-react(?!.*eye)/,
      minShareCount: 4,
      priority: 2,
    },
    {
      name: 'form',
      test: /src[\\/]web[\\/](ui[\\/](field|or-divider|select)|form[\\/](?!use-tap)|validation|features[\\/]auth|account-form[\\/](?!google))|lucide-react.*eye/,
      minShareCount: 2,
      priority: 1,
    },
    // What later pages share. The names of all files are in the first one that is loaded, so there are few.
    {
      name: 'act',
      test: /src[\\/]web[\\/](form[\\/]use-tap|ui[\\/](problem|art[\\/]state-art))/,
      minShareCount: 2,
      priority: 1,
    },
    {
      name: 'own',
      test: /src[\\/](web[\\/](payment-state|customer-area|ui[\\/](choice|copy-button))|contract[\\/]cards)|lucide-react.*[\\/]printer/,
      minShareCount: 2,
    },
  ],
};

export default defineConfig(({ isSsrBuild }): ViteUserConfig => ({
  root: here('.'),
  plugins: [
    routes(),
    react(),
    macros(),
    lingui({ failOnMissing: true }),
    ...(isSsrBuild ? [] : [importMap(), worker()]),
  ],
  build: isSsrBuild
    ? { outDir: 'dist/render', ssr: 'src/web/entry-server.tsx', target: 'node24', copyPublicDir: false }
    : {
        outDir: 'dist/site',
        manifest: true,
        target: 'es2023',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { output: { codeSplitting: chunks } },
      },
  ssr: { noExternal: isSsrBuild ? true : [] },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], environment: 'node' } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts', 'tests/*.test.ts'],
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // No module keeps state (law 11), so files can share them: loading the server for each took half of the time.
          isolate: false,
          globalSetup: ['tests/builders/prepare-database.ts'],
        },
      },
    ],
  },
}));
