import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import type { BuildOptions } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import svgr from 'vite-plugin-svgr';
import { publicSources } from './lingui.config.ts';
import { scriptTargets, stylePlugins, styleTargets, untouchedStyles, zoomedViewport } from './.scripts/floor.ts';
import { chunkGroups, terserMinifier } from './.scripts/chunks.ts';
import { hashPrecachedFiles } from './.scripts/hash-precached-files.ts';
import { thirdPartyNotices } from './.scripts/notices.ts';
import { scriptLoading, startGuardScript } from './.scripts/script-loading.ts';
import { SlowestFirst } from './.scripts/slowest-first.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Macros become message ids; without these presets the build passes and the macros reach the browser. */
function macros({ idsOnly }: { idsOnly: boolean }) {
  // a private page includes its English messages, in case its catalogue fails to load; its title is in the first visit
  // to any page, and is left out then
  const atOnce = [...publicSources, 'src/web/routes/**/*.{ts,tsx}'].map((path) => `**/${path}`);
  const preset = (descriptorFields: 'message' | 'id-only', id: { include: string[] } | { exclude: string[] }) => {
    const { rolldown, ...rest } = linguiTransformerBabelPreset({ descriptorFields });
    return { ...rest, rolldown: { filter: { ...rolldown.filter, id } } };
  };
  return babel({
    presets: [preset(idsOnly ? 'id-only' : 'message', { include: atOnce }), preset('message', { exclude: atOnce })],
  });
}

const routes = () =>
  tanstackRouter({
    target: 'react',
    autoCodeSplitting: true,
    // A route's loader is loaded with its page: most visitors open one or two pages.
    codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
    routesDirectory: here('src/web/routes'),
    generatedRouteTree: here('src/web/routeTree.gen.ts'),
    routeFileIgnorePattern: '\\.(test|module)\\.',
    quoteStyle: 'single',
    semicolons: true,
  });

/**
 * The plugin builds our own service worker and lists what it precaches. It would name the result after the source, so
 * `filename` is the result (`/sw.js`) and `entry` the source. Pictures are cached when they are first shown.
 */
const worker = (transform: ReturnType<typeof hashPrecachedFiles>['transform']) =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/sw',
    filename: 'sw.js',
    injectRegister: false,
    manifest: false,
    injectManifest: {
      globPatterns: ['index.html', 'assets/**/*.{js,css,json}'],
      rollupFormat: 'iife',
      manifestTransforms: [transform],
    },
    integration: {
      configureCustomSWViteBuild({ build }) {
        if (build?.lib) build.lib.entry = here('src/sw/index.ts');
      },
    },
  });

/** The worker, and the hashes of its precached files. */
const pwa = () => {
  const { plugin, transform } = hashPrecachedFiles();
  return [plugin, worker(transform)];
};

/** SVG files as components; `tokens.css` defines how icons are drawn. */
const drawings = () => {
  const drawnByStyles = ['class', 'xmlns', 'width', 'height', 'fill', 'stroke', 'stroke-.*'];
  return [
    svgr({ include: '**/src/web/**/*.svg?react' }),
    svgr({
      include: '**/lucide-static/icons/*.svg?react',
      svgrOptions: {
        plugins: ['@svgr/plugin-svgo', '@svgr/plugin-jsx'],
        svgoConfig: {
          // Two digits are 1/100 of the 24 units, which no screen shows. Lines without a fill may be merged wherever they
          // cross.
          plugins: [
            'removeComments',
            { name: 'removeAttrs', params: { attrs: `svg:(${drawnByStyles.join('|')})` } },
            { name: 'convertPathData', params: { floatPrecision: 2 } },
            { name: 'mergePaths', params: { force: true } },
          ],
        },
        svgProps: { className: 'lucide', 'aria-hidden': 'true' },
      },
    }),
  ];
};

/** Modules without side effects: all but those that start something (`app` and the two files beside it). */
const pureModules = /\/src\/(?:contract|web\/(?:platform|ui|domain|shells|features|routes))\/.*\.tsx?$/;

/** The browser's build. */
const siteBuild: BuildOptions = {
  outDir: 'dist/site',
  manifest: true,
  // lists the file of each module: pages that share a file have no entry of their own in the manifest
  ssrManifest: true,
  target: scriptTargets,
  cssTarget: styleTargets,
  modulePreload: {
    polyfill: false,
    // no import has to list what every page has; the page itself does
    resolveDependencies: (_file, needed, { hostType }) =>
      hostType === 'html' ? needed : needed.filter((file) => !/\/(?:index|rolldown-runtime|vendor)-/.test(file)),
  },
  assetsInlineLimit: 0,
  rolldownOptions: {
    // The page's script loads the second input once the engine can run it ([Note: Entry]); as an input, its imports
    // count as part of the first load.
    treeshake: { moduleSideEffects: [{ test: pureModules, sideEffects: false }] },
    input: [here('index.html'), here('src/web/app/start.ts')],
    output: { codeSplitting: { groups: chunkGroups } },
  },
};

/** The renderer of the server. */
const renderBuild: BuildOptions = {
  outDir: 'dist/render',
  ssr: 'src/web/entry-server.tsx',
  target: 'node24',
  copyPublicDir: false,
  // One file: a server reads it once and needs nothing more of a folder that a deploy may remove.
  rolldownOptions: { output: { codeSplitting: false } },
};

const startsQuickly = [`--import=${here('tests/fixtures/resolve-quickly.ts')}`];

const testProjects: NonNullable<NonNullable<ViteUserConfig['test']>['projects']> = [
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['src/**/*.test.{ts,tsx}'],
      environment: 'node',
      // files share a process: one for each took four fifths of the time
      isolate: false,
      setupFiles: ['tests/builders/fresh-modules.ts'],
    },
  },
  {
    extends: true,
    test: {
      name: 'api',
      execArgv: startsQuickly,
      include: ['tests/api/**/*.test.ts'],
      environment: 'node',
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // No module has state, so files can share modules: loading the server for each took half
      // of the time.
      isolate: false,
      globalSetup: ['tests/builders/prepare-database.ts'],
      setupFiles: ['tests/builders/watch-codes.ts'],
    },
  },
  {
    extends: true,
    // checks of the sources and the build, which need no database
    test: {
      name: 'tree',
      include: ['tests/*.test.ts'],
      environment: 'node',
      testTimeout: 30_000,
      isolate: false,
    },
  },
  {
    extends: true,
    test: {
      name: 'engines',
      execArgv: startsQuickly,
      include: ['tests/engines/*.test.ts'],
      environment: 'node',
      testTimeout: 400_000,
      hookTimeout: 240_000,
      // each runs an engine and a server, on two cores
      maxWorkers: 2,
    },
  },
];

export default defineConfig(({ command, isSsrBuild = false }): ViteUserConfig => ({
  root: here('.'),
  plugins: [
    routes(),
    react(),
    drawings(),
    macros({ idsOnly: command === 'build' && !isSsrBuild }),
    lingui({ failOnMissing: true }),
    zoomedViewport(),
    ...(isSsrBuild ? [] : [scriptLoading(), terserMinifier(), thirdPartyNotices(), pwa()]),
  ],
  define: {
    __START_GUARD__: JSON.stringify(startGuardScript),
    // a server that is started without NODE_ENV would render with React's development build, which is slower
    ...(isSsrBuild && { 'process.env.NODE_ENV': '"production"' }),
  },
  resolve: {
    // the package's entry for React 18 and newer; `shim` contains the hook for older ones, too
    alias: { 'use-sync-external-store/shim': 'use-sync-external-store' },
  },
  css: { postcss: { plugins: stylePlugins() }, lightningcss: { exclude: untouchedStyles } },
  build: isSsrBuild ? renderBuild : siteBuild,
  ssr: { noExternal: isSsrBuild ? true : [] },
  test: {
    // the limit only ends a test that hangs
    tags: [{ name: 'slow', description: 'what `npm test` leaves to `npm run verify:tests`', timeout: 300_000 }],
    projects: testProjects,
    sequence: { sequencer: SlowestFirst },
  },
}));
