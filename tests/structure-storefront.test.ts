import { describe, expect, it } from 'vitest';
import { paths, type PathRow } from '#contract/paths.ts';
import { cycles, into, mentions, shipped, forbiddenImports, under } from '#tests/fixtures/architecture.ts';
import type { Import, Source } from '#tests/fixtures/source-tree.ts';

/** The layer and the part of a file; undefined for the files at the root of the storefront. */
function webFolder(path: string): string | undefined {
  const [layer, part] = path.split('/').slice(2, -1);
  return part !== undefined && /^(platform|domain|features)$/.test(layer ?? '') ? `${layer}/${part}` : layer;
}

describe('Storefront', () => {
  it('is built in layers, each of which imports only from itself and from lower ones', () => {
    const layers = ['ui', 'platform', 'domain', 'shells', 'features', 'routes', 'app'];
    const height = (path: string) => layers.indexOf(path.split('/')[2] ?? '');
    const layered = under('src/web/').filter(({ path }) => path.split('/').length > 3);
    expect(layered.filter(({ path }) => height(path) < 0).map(({ path }) => path)).toEqual([]);
    const below = (one: Import, { path }: Source) => !into(one, 'src/web/') || height(one.target) <= height(path);
    expect(forbiddenImports(layered, below)).toEqual([]);
  });

  it('has no two folders that import each other, directly or indirectly', () => {
    expect(cycles(under('src/web/'), webFolder)).toEqual([]);
  });

  it('keeps ui free of the router and the API', () => {
    const outside = /^(@tanstack\/|ky$)/;
    expect(forbiddenImports(under('src/web/ui/'), (one) => one.own || !outside.test(one.target))).toEqual([]);
  });

  it('never lets a feature import another feature or a route', () => {
    const feature = (path: string) => path.split('/')[3];
    const allowed = (one: Import, source: Source) =>
      !one.own || !into(one, 'src/web/features/', 'src/web/routes/') || feature(one.target) === feature(source.path);
    expect(forbiddenImports(under('src/web/features/'), allowed)).toEqual([]);
  });

  it('has routes of at most 40 lines', () => {
    const longRoutes = under('src/web/routes/').filter(({ lines }) => lines > 40);
    expect(longRoutes.map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
  });

  it('has one row in the table of addresses for each screen, and one route file in the folder of its layout', () => {
    const address = /createFileRoute\('\/_(\w+)(\/[^']*)'\)/;
    const routed = under('src/web/routes/').flatMap(({ code }) => {
      const [, layout = '', path = ''] = address.exec(code) ?? [];
      // The rest of the address of a payment result is read from the path, and the page is rendered without it.
      return path && path !== '/paymentResult/$' ? [`${layout} ${path.replace(/(?<=.)\/$/, '')}`] : [];
    });
    const rows: [string, PathRow][] = Object.entries(paths);
    const screens = rows.flatMap(([path, row]) => (row.kind === 'link' ? [] : [`${row.layout} ${path}`]));
    expect(routed.map((one) => one.replace('$id', '{id}')).sort()).toEqual(screens.sort());
    const above = rows.map(([, row]) => (row.kind === 'link' ? row.to : (row.above ?? '/')));
    expect(above.filter((path) => !Object.hasOwn(paths, path))).toEqual([]);
  });

  it('guards each page of one customer, and keeps the pages of the browser out of search engines', () => {
    const routes = new Map(
      under('src/web/routes/').flatMap(({ code }) => {
        const [, path] = /createFileRoute\('\/_\w+(\/[^']*)'\)/.exec(code) ?? [];
        return path === undefined ? [] : [[path.replace(/(?<=.)\/$/, ''), code] as const];
      }),
    );
    const rows: [string, PathRow][] = Object.entries(paths);
    const without = (pattern: RegExp, isMeant: (row: PathRow) => boolean) =>
      rows.filter(([path, row]) => isMeant(row) && !pattern.test(routes.get(path) ?? '')).map(([path]) => path);
    expect(
      without(/\bopenCustomerPage\(|\.\.\.(orderRoute|paymentStepRoute)\b/, (row) => row.privacy === 'private'),
    ).toEqual([]);
    expect(without(/\bindex: false\b|\.\.\.paymentStepRoute\b/, (row) => row.kind === 'app')).toEqual([]);
  });

  it('has a link to each page in its own pages, redirects or emails', () => {
    const linking = shipped.filter(
      ({ path }) => !/^src\/(web\/routes\/|web\/routeTree|contract\/(paths|analytics)\.ts$)/.test(path),
    );
    const isLinked = (path: string) => linking.some(({ code }) => new RegExp(`['"\`}]${path}['"\`?]`).test(code));
    const rows: [string, PathRow][] = Object.entries(paths);
    // the server answers with /500 itself
    const pages = rows.filter(([path, row]) => row.kind !== 'link' && path !== '/500').map(([path]) => path);
    expect(pages.filter((path) => !isLinked(path.replace('{id}', '\\$id')))).toEqual([]);
  });

  it('has links that are absent where the backend has no such page, unlike those of the router', () => {
    const others = under('src/web/').filter(({ path }) => path !== 'src/web/platform/brand/link.tsx');
    expect(
      mentions(others, /import \{[^}]*\b(?:Link|createLink)\b[^}]*\} from '@tanstack\/react-router'/, 'code'),
    ).toEqual([]);
  });

  it('never names a brand', () => {
    expect(mentions(under('src/web/'), /\b(lumen|mego)\b/i)).toEqual([]);
  });

  it('calls the API through one module, and creates query keys in one place', () => {
    const calls = under('src/web/').filter(({ path }) => !/^src\/web\/platform\/(api|pwa)\//.test(path));
    expect(mentions(calls, /(?<![\w.])fetch\(|\bXMLHttpRequest\b|from 'ky'/)).toEqual([]);
    expect(mentions(calls, /queryKey: \[/)).toEqual([]);
  });

  it('sends and shows errors through `useApiMutation`, `useAction` and `attempt` in features and domain', () => {
    const callers = [...under('src/web/features/'), ...under('src/web/domain/')];
    expect(mentions(callers, /\bApiError\b|\bimport \{ call\b|\b(useTap|ownedBy|handledErrors)\b/, 'code')).toEqual([]);
  });

  it('accesses the storage of the browser in one place', () => {
    // pwa/ records a reload even when the rest of the storefront could not be loaded.
    const others = under('src/web/').filter(({ path }) => !/^src\/web\/platform\/(session\/storage|pwa)\//.test(path));
    expect(mentions(others, /\b(localStorage|sessionStorage|indexedDB)\b(?=[.[])|from 'idb-keyval'/)).toEqual([]);
  });

  it('reads the name of an engine only to name devices, menus and apps, never to detect features', () => {
    const token =
      /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Gecko|AppleWebKit|Safari|Version|Edg\w*|OPR)\\?\/[\d([\\]|userAgentData/;
    const shown = new Set([
      'src/server/runtime/user-agent.ts',
      'src/web/platform/entry/engine/in-app-browser.ts',
      'src/web/platform/pwa/install-method.ts',
    ]);
    expect(
      mentions(
        shipped.filter(({ path }) => !shown.has(path)),
        token,
        'code',
      ),
    ).toEqual([]);
  });

  it('never imports the messages of error codes at run time, because they are in the catalogues', () => {
    const runtime = (one: Import) => one.target.endsWith('i18n/error-messages.ts') && !one.typeOnly;
    expect(forbiddenImports(shipped, (one) => !runtime(one))).toEqual([]);
  });

  it(
    'can be imported without a DOM, so that every page can be rendered on a server',
    { timeout: 120_000 },
    async () => {
      const broken: string[] = [];
      for (const { path } of under('src/web/').filter((source) => source.path !== 'src/web/main.tsx')) {
        await import(/* @vite-ignore */ `../${path}`).catch((error: unknown) =>
          broken.push(`${path}: ${String(error)}`),
        );
      }
      expect(broken).toEqual([]);
    },
  );
});
