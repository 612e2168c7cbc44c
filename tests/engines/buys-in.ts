/// <reference lib="dom" />
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerPath } from '#contract/worker.ts';
import { enginesRunHere } from './old-chromium.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { openChromium } from './chromium.ts';
import type { Engine } from './engine.ts';
import { driverOf } from './input-drivers.ts';
import { phone, tv, type Device } from './device.ts';
import { personAt } from './person.ts';
import { buyAsNewcomer, buyByCard, buyByPix, type Shopper } from './purchase.ts';

const purchases: readonly (readonly [string, Device, (shopper: Shopper) => Promise<void>])[] = [
  ['signs up on a phone and pays by card', phone, buyAsNewcomer],
  ['pays by Pix on a phone', phone, buyByPix],
  ['logs in on a TV with the arrows and pays by card', tv, buyByCard],
  ['logs in on a TV with the arrows and pays by Pix', tv, buyByPix],
];

/**
 * Tests that a customer can buy in one version of Chromium, by each method, without an error in the console. A version
 * between the floor and the current one is `slow`: what fails there usually fails in one of these two as well.
 */
export function buysIn(version: number, options: { tags?: 'slow' } = {}): void {
  describe.skipIf(!enginesRunHere)(`In Chromium ${version}, a customer`, options, () => {
    let server: ServerProcess;
    let engine: Engine;
    beforeAll(async () => {
      [server, engine] = await Promise.all([startServer(), openChromium(version)]);
    });
    afterAll(async () => {
      await engine.close();
      await server.dispose();
    });

    it.each(purchases)('%s', async (title, device, buy) => {
      const person = await personAt(engine, device);
      try {
        await buy({ person, driver: driverOf(person, device), origin: server.origin });
      } catch (error) {
        await savePicture(`chromium-${version} ${title}`, await person.picture());
        throw new Error(`${String(error)}\nThe console: ${person.errors.join('\n')}`, { cause: error });
      }
      expect(person.errors.join('\n'), 'errors in the console').toBe('');
      // Checks the styles of the screen: headings on a TV are larger than on a phone.
      const size = await person.ask(
        () => getComputedStyle(document.querySelector('h1') ?? document.body).fontSize,
        null,
      );
      expect(Number.parseFloat(size) > 30).toBe(device.input === 'remote control');
      await person.leave();
    });

    it('gets the worker, which caches the storefront for offline use', async () => {
      const person = await personAt(engine, phone);
      await person.open(server.origin);
      await person.see('html[data-hydrated] h1');
      const cached = await person.ask(async () => {
        const { active } = await navigator.serviceWorker.ready;
        const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const files = (await Promise.all(opened.map((cache) => cache.keys()))).flat();
        return { script: active?.scriptURL, files: files.map(({ url }) => new URL(url).pathname) };
      }, null);
      expect(cached.script).toBe(`${server.origin}${workerPath}`);
      expect(cached.files.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(50);
      expect(person.errors.join('\n'), 'errors in the console').toBe('');
      await person.leave();
    });
  });
}

/** Saves a screenshot of the page after a purchase failed. */
export async function savePicture(name: string, picture: Buffer): Promise<void> {
  const folder = join(root, 'test-results/engines');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name.replaceAll(' ', '-')}.png`), picture);
}
