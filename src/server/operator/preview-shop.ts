import { watch } from 'node:fs';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { brandHosts } from '#server/db/schema/brands.ts';
import { openMemory } from '#server/db/open-database.ts';
import { checkFolder } from '#server/brand/folder/read-folder.ts';
import type { Problem } from '#server/brand/folder/read-yaml.ts';
import type { BrandRows } from '#server/brand/folder/rows.ts';
import { storedRows } from '#server/brand/folder/stored-rows.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import { openDeps, loadSandbox } from '#server/runtime/wiring/open-deps.ts';
import type { Deps } from '#server/deps.ts';
import { readSettings } from '#server/env.ts';
import { mountApp } from '#server/http/mount-app.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { openGatewayCheck } from './brand-gateways.ts';

interface PreviewOptions {
  readonly port: number;
  /** further folders to watch: documents that brands share */
  readonly beside?: readonly string[];
  /** receives the problems of the folder after a change; none where it is shown */
  readonly onChange: (problems: readonly Problem[]) => void;
}

/** An editor writes a file in several steps. */
const settleMs = 150;

/**
 * A shop in memory with only this brand, at localhost, with the whole sandbox: it uses no database and no other
 * machine. It follows changes of the folder and reloads open pages.
 */
export async function openPreview(folder: string, rows: BrandRows, { port, onChange, beside = [] }: PreviewOptions) {
  const sandbox = await loadSandbox();
  const database = await openMemory(sandbox.demoContents);
  await database.db.delete(brandHosts);
  const { code } = rows.brand;
  const { deps, close } = await openDeps(settingsOf(code, port), undefined, { opened: database });
  await show(deps, rows);
  const { app, close: closePages } = await mountApp({ deps, sandbox }, { dev: false });
  const stopJobs = startJobs(deps, {
    deliverNotices: () => sandbox.deliverNotices(deps, async (notice) => app.fetch(notice)),
  });
  const pages = reloadingPages(async (request, bindings) => app.fetch(request, bindings));
  const server = createServer();
  const answer = getRequestListener(pages.answer);
  server.on('request', (request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const ofGateways = await openGatewayCheck();
  const unwatch = follow([folder, ...beside], async () => {
    const { rows: next, problems } = await checkFolder(folder, ofGateways);
    if (next && next.brand.code === code) await show(deps, next);
    onChange(problems);
    if (next) pages.reload();
  });
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      unwatch();
      pages.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stopJobs();
      await closePages();
      await close();
    },
  };
}

const settingsOf = (code: string, port: number) =>
  readSettings({
    NODE_ENV: 'development',
    SANDBOX: 'true',
    PORT: String(port),
    HOST: '127.0.0.1',
    DEFAULT_BRAND: code,
    EXTRA_HOSTS: 'localhost,127.0.0.1',
    LOG_LEVEL: 'error',
    SIGNING_SECRET: systemRandom.token(48),
    // a service worker would cache what changes all the time
    WORKER: 'off',
  });

async function show({ db, catalog }: Pick<Deps, 'db' | 'catalog'>, rows: BrandRows): Promise<void> {
  await db.transaction(async (tx) => {
    await writeRows(tx, rows, await storedRows(tx, rows.brand.code));
  });
  await catalog.refresh();
}

/** Runs after each change of a file, one run at a time. */
function follow(folders: readonly string[], changed: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(changed).catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
      });
    }, settleMs);
  };
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, hear));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

type Answer = (request: Request, bindings: object) => Promise<Response>;

const scriptPath = '/dev/preview.js';
const newsPath = '/dev/preview';

/** Also reloads when the preview was restarted and the browser has reconnected. */
const script = `const news = new EventSource('${newsPath}');
let wasOpen = false;
news.onopen = () => { if (wasOpen) location.reload(); wasOpen = true; };
news.onmessage = () => location.reload();
`;

const element = `<script src="${scriptPath}" async></script>`;

async function withScript(answer: Answer, request: Request, bindings: object): Promise<Response> {
  // uncompressed, so that the script can be inserted
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  const response = await answer(new Request(request.url, { headers }), bindings);
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const left = new Headers(response.headers);
  left.set('cache-control', 'no-store');
  left.delete('content-length');
  return new Response(html.replace('</body>', `${element}</body>`), { status: response.status, headers: left });
}

/** The same pages with a script in each that reloads them on the event `reload` (HTML, server-sent events). */
function reloadingPages(answer: Answer) {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();

  function news(): Response {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        open.add(controller);
        controller.enqueue(encoder.encode(': open\n\n'));
      },
      cancel() {
        if (own) open.delete(own);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' } });
  }

  return {
    answer: async (request: Request, bindings: object): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === scriptPath) return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
      if (pathname === newsPath) return news();
      return request.method === 'GET' && !pathname.startsWith('/api/')
        ? withScript(answer, request, bindings)
        : answer(request, bindings);
    },
    reload: () => {
      for (const controller of open) controller.enqueue(encoder.encode('data: changed\n\n'));
    },
    close: () => {
      for (const controller of open) controller.close();
      open.clear();
    },
  };
}
