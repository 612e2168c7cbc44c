import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { servedBuilds, startBuild, activateBuild } from '#scripts/builds.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import { createApp } from '#server/http/mount-app.ts';
import { openBuilds } from '#server/http/pages/builds.ts';
import { mountBuilds } from '#server/http/pages/mount-pages.ts';
import { deploy, scriptOf, writeBuild } from '#tests/builders/a-build.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let folder: string;

beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-builds-'));
  deploy(folder, 'monday');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A server that starts with the builds of the folder. */
async function start(): Promise<App> {
  const app = createApp(shop.deps);
  mountBuilds(app, shop.deps, await openBuilds({ folder }, shop.deps));
  return app;
}

const get = (app: App, path: string) =>
  Promise.resolve(app.request(`http://localhost${path}`, { headers: { host: 'localhost' } }));

/** The status of a page, the build of its text and the build of its script. */
async function buildsOf(app: App, path: string): Promise<string> {
  const response = await get(app, path);
  const html = await response.text();
  const text = /<title>(\w+)<\/title>/.exec(html)?.[1];
  const script = /<script type="module" src="\/assets\/index-(\w+)\.js"/.exec(html)?.[1];
  return `${response.status} ${text} ${script}`;
}

const scriptStatus = async (app: App, id: string) => (await get(app, scriptOf(id))).status;

describe('a deploy', () => {
  it('is served by the next process, which also serves the scripts of the previous build', async () => {
    deploy(folder, 'tuesday');
    const tuesday = await start();
    expect(await buildsOf(tuesday, '/pricing-table')).toBe('200 tuesday tuesday');
    expect(await buildsOf(tuesday, '/orders')).toBe('200 tuesday tuesday');
    expect(await (await get(tuesday, '/sw.js')).text()).toBe('// worker of tuesday');
    expect(await (await get(tuesday, '/index.html')).text()).toContain(scriptOf('tuesday'));
    expect([await scriptStatus(tuesday, 'monday'), await scriptStatus(tuesday, 'tuesday')]).toEqual([200, 200]);

    deploy(folder, 'wednesday');
    const wednesday = await start();
    expect(await scriptStatus(wednesday, 'monday')).toBe(404);
    expect(await scriptStatus(wednesday, 'tuesday')).toBe(200);
    expect(await buildsOf(wednesday, '/')).toBe('200 wednesday wednesday');
  });

  it('process by process behind one proxy serves the scripts of the new build from the old processes, too', async () => {
    const monday = await start();
    expect(await scriptStatus(monday, 'tuesday')).toBe(404);
    deploy(folder, 'tuesday');
    shop.clock.advance(1000);
    expect(await scriptStatus(monday, 'tuesday')).toBe(200);
    expect(await scriptStatus(monday, 'monday')).toBe(200);
    expect(await buildsOf(monday, '/')).toBe('200 monday monday');
    expect(await (await get(monday, '/sw.js')).text()).toBe('// worker of monday');
  });

  it('changes nothing in a running process, even when it deletes all folders', async () => {
    const monday = await start();
    deploy(folder, 'tuesday');
    expect(await buildsOf(monday, '/help')).toBe('200 monday monday');
    rmSync(folder, { recursive: true });
    expect(await buildsOf(monday, '/login')).toBe('200 monday monday');
    expect(await scriptStatus(monday, 'monday')).toBe(200);
  });

  it('with a broken renderer prevents the start of the next process', async () => {
    deploy(folder, 'broken', { renderer: 'export const renderPage = (;' });
    await expect(start()).rejects.toThrow('Unexpected token');
  });
});

describe('the build script', () => {
  it('serves a build only when it is complete, and deletes the files of an interrupted build', async () => {
    const inProgress = startBuild(folder);
    writeFileSync(join(inProgress, 'half'), 'of a file');
    expect(await buildsOf(await start(), '/')).toBe('200 monday monday');
    const killed = spawnSync(process.execPath, ['-e', '']).pid;
    const [leftover, ofAnotherProcess] = [`.making-${killed}`, `.making-${process.ppid}`];
    for (const name of [leftover, ofAnotherProcess]) cpSync(inProgress, join(folder, name), { recursive: true });
    deploy(folder, 'tuesday');
    expect(readdirSync(folder).sort()).toEqual([ofAnotherProcess, 'current.json', 'monday', 'tuesday']);
  });

  it('keeps the last two builds, and switches back to the previous one without building', async () => {
    for (const day of ['tuesday', 'wednesday']) deploy(folder, day);
    expect(readdirSync(folder).sort()).toEqual(['current.json', 'tuesday', 'wednesday']);
    activateBuild(folder, 'tuesday');
    expect(servedBuilds(folder)).toEqual(['tuesday', 'wednesday']);
    expect(await buildsOf(await start(), '/')).toBe('200 tuesday tuesday');
  });

  it('does not touch a build that exists already', () => {
    writeBuild(folder, 'monday', { files: { '/robots.txt': 'another' } });
    expect(readdirSync(folder).sort()).toEqual(['current.json', 'monday']);
    activateBuild(folder, 'monday');
    expect(servedBuilds(folder)).toEqual(['monday']);
  });
});

describe('static files', () => {
  it('are compressed for a browser that accepts it, with their own content type', async () => {
    deploy(folder, 'tuesday', { files: { '/assets/words.js': 'long', '/assets/words.js.br': 'short' } });
    const app = await start();
    const request = (accepts: string) =>
      app.request('http://localhost/assets/words.js', {
        headers: { host: 'localhost', 'accept-encoding': accepts },
      });
    const compressed = await request('gzip, br');
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(compressed.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(compressed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(compressed.headers.get('vary')).toBe('Accept-Encoding');
    expect(await compressed.text()).toBe('short');
    expect(await (await request('gzip')).text()).toBe('long');
  });

  it.each(['/assets/of-no-build.js', '/assets/of-no-build.css'])(
    'that are in no build are not cached: %s',
    async (path) => {
      const answer = await get(await start(), path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );
});
