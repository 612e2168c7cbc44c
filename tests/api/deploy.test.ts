import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { servedBuilds, startBuild, switchTo } from '../../.scripts/builds.mjs';
import type { App } from '#server/runtime/request/request-context.ts';
import { createApp } from '#server/http/app.ts';
import { openBuilds, type Builds } from '#server/http/pages/builds.ts';
import { mountBuilds } from '#server/http/pages/mount-pages.ts';
import { deploy, scriptOf, writeBuild } from '#tests/builders/a-build.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** [Note: Builds] A server that runs while builds come and go under it. */
interface Running {
  readonly app: App;
  readonly builds: Builds;
}

let shop: TestApp;
let folder: string;
let running: Running;
const opened: Builds[] = [];
let failures: unknown[] = [];
const heard = { write: (line: string) => void failures.push((JSON.parse(line) as { msg: unknown }).msg) };

beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-builds-'));
  failures = [];
  deploy(folder, 'monday');
  running = await start();
});
afterEach(() => {
  for (const builds of opened.splice(0)) builds.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start({ contract = 'one' } = {}): Promise<Running> {
  const builds = await openBuilds({ folder, contract, log: pino({ level: 'error' }, heard) });
  opened.push(builds);
  const app = createApp(shop.deps);
  mountBuilds(app, shop.deps, builds);
  return { app, builds };
}

const ask = ({ app }: Running, path: string) =>
  Promise.resolve(app.request(`http://localhost${path}`, { headers: { host: 'localhost' } }));

/** Of which build a page's own words are, and of which its script. */
async function buildsOf(server: Running, path: string): Promise<string> {
  const response = await ask(server, path);
  const html = await response.text();
  const words = /<title>(\w+)<\/title>/.exec(html)?.[1];
  const script = /<script type="module" src="\/assets\/index-(\w+)\.js"/.exec(html)?.[1];
  return `${response.status} ${words} ${script}`;
}

const scriptStatus = async (server: Running, id: string) => (await ask(server, scriptOf(id))).status;

describe('a deploy under a server that runs', () => {
  it('shows everybody the new pages at once, and gives tabs of the build before what they miss', async () => {
    expect(await buildsOf(running, '/pricing-table')).toBe('200 monday monday');
    deploy(folder, 'tuesday');
    await running.builds.look();
    expect(await buildsOf(running, '/pricing-table')).toBe('200 tuesday tuesday');
    expect(await buildsOf(running, '/orders')).toBe('200 tuesday tuesday');
    expect(await (await ask(running, '/sw.js')).text()).toBe('// worker of tuesday');
    expect(await (await ask(running, '/index.html')).text()).toContain(scriptOf('tuesday'));
    expect([await scriptStatus(running, 'monday'), await scriptStatus(running, 'tuesday')]).toEqual([200, 200]);

    deploy(folder, 'wednesday');
    await running.builds.look();
    expect(await scriptStatus(running, 'monday')).toBe(404);
    expect(await scriptStatus(running, 'tuesday')).toBe(200);
    expect(await buildsOf(running, '/')).toBe('200 wednesday wednesday');
  });

  it('is noticed without a restart and without being told', async () => {
    deploy(folder, 'tuesday');
    await expect.poll(() => buildsOf(running, '/help'), { timeout: 5000 }).toBe('200 tuesday tuesday');
  });

  it('never hands out a page of one build with the script of another, whenever it is asked', async () => {
    const days = ['tuesday', 'wednesday', 'thursday', 'friday'];
    const seen = new Set<string>();
    for (const day of days) {
      deploy(folder, day);
      const looked = running.builds.look();
      // other addresses each time, so that nothing comes from the shelf of finished pages
      const pages = Array.from({ length: 20 }, (_, n) =>
        buildsOf(running, `/plan-details/${n + 1}?account=${day}${n}`),
      );
      for (const page of await Promise.all(pages)) seen.add(page);
      await looked;
      seen.add(await buildsOf(running, '/privacy'));
    }
    expect([...seen].filter((page) => !/^200 (\w+) \1$/.test(page))).toEqual([]);
    expect(seen).toContain('200 friday friday');
  });

  it('may even take all folders away: who runs goes on, with every script', async () => {
    rmSync(folder, { recursive: true });
    await running.builds.look();
    expect(await buildsOf(running, '/login')).toBe('200 monday monday');
    expect(await scriptStatus(running, 'monday')).toBe(200);
    expect(failures).toEqual(['a new build cannot be read; the last one stays']);
  });

  it('that cannot be read is not taken, and the next one is', async () => {
    deploy(folder, 'broken', { renderer: 'export const renderPage = (;' });
    await running.builds.look();
    expect(await buildsOf(running, '/')).toBe('200 monday monday');
    expect(failures).toEqual(['a new build cannot be read; the last one stays']);
    deploy(folder, 'tuesday');
    await running.builds.look();
    expect(await buildsOf(running, '/')).toBe('200 tuesday tuesday');
  });

  it('whose contract is another waits for the restart, while other processes may serve it already', async () => {
    deploy(folder, 'tuesday', { contract: 'two' });
    await running.builds.look();
    expect(await buildsOf(running, '/orders')).toBe('200 monday monday');
    expect(await (await ask(running, '/sw.js')).text()).toBe('// worker of monday');
    const restarted = await start({ contract: 'two' });
    expect(await buildsOf(restarted, '/orders')).toBe('200 tuesday tuesday');
    for (const server of [running, restarted]) {
      expect([await scriptStatus(server, 'monday'), await scriptStatus(server, 'tuesday')]).toEqual([200, 200]);
    }
    deploy(folder, 'wednesday', { contract: 'two' });
    await running.builds.look();
    expect(await buildsOf(running, '/')).toBe('200 monday monday');
    expect(await scriptStatus(running, 'monday')).toBe(200);
  });
});

describe('the build script', () => {
  it('changes nothing that is served until a build is whole, and clears away what an interrupted one has left', async () => {
    const making = startBuild(folder);
    writeFileSync(join(making, 'half'), 'of a file');
    await running.builds.look();
    const [restarted] = [await start()];
    expect(await buildsOf(restarted, '/')).toBe('200 monday monday');
    // as if its maker had been killed: nobody has this number
    const left = join(folder, '.making-99999999');
    rmSync(making, { recursive: true });
    writeFileSync(left, '');
    deploy(folder, 'tuesday');
    expect(existsSync(left)).toBe(false);
    expect(failures).toEqual([]);
  });

  it('keeps the last two builds, and goes back to the one before without building', async () => {
    for (const day of ['tuesday', 'wednesday']) deploy(folder, day);
    expect(readdirSync(folder).sort()).toEqual(['current.json', 'tuesday', 'wednesday']);
    switchTo(folder, 'tuesday');
    expect(servedBuilds(folder)).toEqual(['tuesday', 'wednesday']);
    await running.builds.look();
    expect(await buildsOf(running, '/')).toBe('200 tuesday tuesday');
  });

  it('leaves a build alone that is there already', () => {
    writeBuild(folder, 'monday', { files: { '/robots.txt': 'another' } });
    expect(readdirSync(folder).sort()).toEqual(['current.json', 'monday']);
    switchTo(folder, 'monday');
    expect(servedBuilds(folder)).toEqual(['monday']);
  });
});

describe('files of the site', () => {
  it('come compressed to whom that helps, with the type that they have', async () => {
    deploy(folder, 'tuesday', { files: { '/assets/words.js': 'long', '/assets/words.js.br': 'short' } });
    await running.builds.look();
    const get = (accepts: string) =>
      running.app.request('http://localhost/assets/words.js', {
        headers: { host: 'localhost', 'accept-encoding': accepts },
      });
    const packed = await get('gzip, br');
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(packed.headers.get('vary')).toBe('Accept-Encoding');
    expect(await packed.text()).toBe('short');
    expect(await (await get('gzip')).text()).toBe('long');
  });

  it.each(['/assets/of-no-build.js', '/assets/of-no-build.css'])(
    'that are in no build are not cached: %s',
    async (path) => {
      const answer = await running.app.request(`http://localhost${path}`, { headers: { host: 'localhost' } });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );
});
