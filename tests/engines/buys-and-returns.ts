/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { programsOf, type DebianEngine } from './debian-engines.ts';
import { addressOf } from '#contract/endpoint.ts';
import * as v from 'valibot';
import { userInfoSchema } from '#contract/user.ts';
import { functionConfig, orders, listPlans } from '#contract/index.ts';
import { siteDataCache } from '#contract/worker.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { savePicture } from './buys-in.ts';
import type { Device } from './device.ts';
import type { Engine, EnginePage } from './engine.ts';
import { driverOf } from './input-drivers.ts';
import { personAt, type Person } from './person.ts';
import { consoleOfPublicPages } from './quiet-pages.ts';
import { buyAgainByPix, buyAsNewcomer, visit, type Shopper } from './purchase.ts';

interface RealEngine {
  readonly name: DebianEngine;
  readonly device: Device;
  readonly open: () => Promise<Engine>;
  /** A page whose whole console can be read, including warnings of the engine itself. */
  readonly inspect: (engine: Engine) => Promise<Pick<EnginePage, 'console' | 'open' | 'evaluate' | 'close'>>;
}

/**
 * The first day of a customer in an engine of another family, on one page from the sign-up to the loss of the network.
 * Any error of the page and any violation of its content policy fails the step in which it happens.
 */
export function buysAndReturns({ name, device, open, inspect }: RealEngine): void {
  const isInstalled = programsOf(name) !== undefined;
  const title = isInstalled ? `In ${name}, a customer` : `In ${name}, which is not installed (setup.mjs --engines)`;
  describe.skipIf(!isInstalled)(title, () => {
    const account = freshAccount();
    let server: ServerProcess;
    let engine: Engine;
    let person: Person;
    let shopper: Shopper;
    beforeAll(async () => {
      // One after another, so that `afterAll` closes what has started even if the next one does not start.
      server = await startServer();
      engine = await open();
      person = await personAt(engine, device);
      shopper = { person, driver: driverOf(person, device), origin: server.origin };
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await savePicture(`${name} ${task.name}`, await person.picture());
    });
    afterAll(async () => {
      await person?.leave();
      await engine?.close();
      await server?.dispose();
    });
    const expectNoFault = () => {
      expect(person.errors.join('\n'), 'errors of the page').toBe('');
      expect(server.output()).not.toContain(violation);
    };

    it('finds no warning and no error in the console of any public page', async () => {
      const page = await inspect(engine);
      try {
        expect(await consoleOfPublicPages(page, server.origin)).toEqual([]);
      } finally {
        // An open page would leave the page of the customer in the background, where no frames are drawn.
        await page.close();
      }
    });

    it('signs up by email with a code and pays by card', async () => {
      await buyAsNewcomer(shopper, account);
      expectNoFault();
    });

    it('pays by Pix', async () => {
      await buyAgainByPix(shopper);
      expectNoFault();
    });

    it('is signed in after a reload, and logs in again by password', async () => {
      await visit(shopper, '/orders');
      await seeBothOrders(person);
      await logOut(shopper);
      await visit(shopper, '/login?return=%2Forders');
      await logIn(shopper, account);
      await seeBothOrders(person);
      expectNoFault();
    });

    it('has a session that is bound to a key of the browser', async () => {
      const stored = await person.ask(() => localStorage.getItem('marquee.me.userInfo'), null);
      expect(v.parse(userInfoSchema, JSON.parse(stored ?? '')).tokenType).toBe('DPoP');
    });

    it('reads the orders offline', async () => {
      await person.until(isSaved, { addresses: savedAddresses, cacheName: siteDataCache, query: orders.name });
      expectNoFault();
      await server.kill9();
      await visit(shopper, '/orders');
      await seeBothOrders(person);
      await person.see('main p', /Saved copy from .*20\d\d/);
      const faults = person.errors.filter((text) => !unreachable.test(text));
      expect(faults.join('\n'), 'errors of the page').toBe('');
    });
  });
}

const violation = 'a page wanted what its policy forbids';

/** What engines log about a request that reaches no server. */
const unreachable = /NetworkError|Load failed|network|offline|fetch/i;

const seeBothOrders = (person: Person) => person.see('main tbody', /Paid.*Paid/s);

async function logOut(shopper: Shopper): Promise<void> {
  await visit(shopper, '/account');
  await shopper.driver.press('main button|Log out');
  await shopper.person.at(/^\/$/);
  await shopper.person.see('header a[href^="/login"]');
  // the address changes before the page: leaving earlier would cancel the scripts of the page that comes
  await shopper.person.see('main h1', /^(?!Account$)./);
}

async function logIn({ driver, person }: Shopper, account: string): Promise<void> {
  await driver.fill('input[autocomplete^="username"]', account);
  await driver.fill('input[autocomplete="current-password"]', goodPassword);
  await driver.press('form button[type="submit"]');
  await person.at(/^\/orders/);
}

const savedAddresses = [addressOf(listPlans, { query: { language: 'en' } }), addressOf(functionConfig)];

interface Saved {
  readonly addresses: readonly string[];
  readonly cacheName: string;
  readonly query: string;
}

/**
 * Runs in the page: whether the worker controls it and has saved the public data, and the storefront has saved the
 * orders.
 */
async function isSaved({ addresses, cacheName, query }: Saved): Promise<boolean> {
  if (!navigator.serviceWorker.controller) return false;
  const answers = await Promise.all(addresses.map((address) => caches.match(address, { cacheName })));
  if (answers.includes(undefined)) return false;
  const request = indexedDB.open('keyval-store');
  // The storefront has not created the database yet, and this check must not either.
  request.addEventListener('upgradeneeded', () => request.transaction?.abort());
  const isOpen = await new Promise<boolean>((resolve) => {
    request.addEventListener('success', () => resolve(true));
    request.addEventListener('error', () => resolve(false));
  });
  if (!isOpen) return false;
  const all = request.result.transaction('keyval').objectStore('keyval').getAllKeys();
  const keys = await new Promise<string[]>((resolve) =>
    all.addEventListener('success', () => resolve(all.result.map(String))),
  );
  request.result.close();
  return keys.some((key) => key.includes(`["${query}"`));
}
