/**
 * Takes a picture of every screen, to be looked at, into `.cache/pictures/`: at a phone, a large phone, a desktop, a large
 * desktop and a TV, in the light and in the dark, in the longest words. A part of `npm run pictures`. What is wanted of it
 * is told by `--brands=mego,lumen`, `--looks=360,tv` (`320` and `412-large` only so), `--who=visitor` or `--who=own`,
 * `--language=es`, `--colour=#FFE600` for another colour of the brand, and the beginnings of the names of pictures; only then do other pictures stay.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../.scripts/chromium.mjs';
import { addCoupon } from '../../src/contract/coupons.ts';
import type { Language } from '../../src/contract/fields.ts';
import { resumePath } from '../../src/web/domain/payments/resume-path.ts';
import { brandCss } from '../../src/web/platform/brand/tokens.ts';
import { ownerKey, sessionKey } from '../../src/web/platform/storage/keys.ts';
import { loginActiveTabKey } from '../../src/web/platform/storage/sign-in-keys.ts';
import { chooseMethod, visit } from '../fixtures/checkout.ts';
import { doubleLetters } from '../fixtures/crowded-words.ts';
import { buyByCard, registerCustomer, type Customer } from '../fixtures/customer.ts';
import { aCustomerOf, addressesOf } from '../fixtures/every-page.ts';
import { smartTv } from '../fixtures/screens.ts';
import { startServer, type ServerProcess } from '../fixtures/server-process.ts';
import { root } from '../fixtures/source-tree.ts';
import { keepOnce } from '../fixtures/test.ts';
import { checkoutAddress, silentPhone } from '../fixtures/ways/journey.ts';
import { payInWay } from '../fixtures/ways/waiting-order.ts';
import { ways, type Way } from '../fixtures/ways/ways.ts';
import { nameOf, visitorScreens, type Shown } from './visitor-screens.ts';

interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
  readonly phone: boolean;
  /** what a box adds to the address of the shop that it opens */
  readonly query: string;
  /** only where it is asked for by its name */
  readonly rare?: true;
}

const phone = { phone: true, query: '' } as const;
const desktop = { phone: false, query: '' } as const;
const looks: readonly Look[] = [
  { name: '360', width: 360, height: 640, dark: false, ...phone },
  { name: '412-dark', width: 412, height: 915, dark: true, ...phone },
  { name: '1280', width: 1280, height: 800, dark: false, ...desktop },
  { name: '1920-dark', width: 1920, height: 1080, dark: true, ...desktop },
  { name: 'tv', width: 1280, height: 720, dark: true, phone: false, query: 'releaseId=801' },
  { name: '320', width: 320, height: 640, dark: false, ...phone, rare: true },
  { name: '412-large', width: 412, height: 915, dark: false, ...phone, rare: true },
];

interface ShopShown {
  readonly brand: Way['brand'];
  readonly language: Language;
  readonly planId: string;
}

/** The longest words of each brand. */
const shops: readonly ShopShown[] = [
  { brand: 'mego', language: 'ru', planId: '202' },
  { brand: 'lumen', language: 'pt', planId: '102' },
  { brand: 'baobab', language: 'pt', planId: '501' },
];

const { values: wish, positionals: beginnings } = parseArgs({
  allowPositionals: true,
  options: {
    brands: { type: 'string' },
    looks: { type: 'string' },
    who: { type: 'string' },
    language: { type: 'string' },
    colour: { type: 'string' },
  },
});
const wanted = (list: string | undefined, name: string) => list === undefined || list.split(',').includes(name);

/** Screens of somebody who has bought, and whose orders wait in every way of the brand. */
async function ownScreens(
  server: ServerProcess,
  { brand, planId }: ShopShown,
): Promise<{ who: Customer; screens: Shown[] }> {
  const origin = server.brandOrigin(brand);
  const own = ways.filter((way) => way.brand === brand);
  const who = brand === 'mego' ? await aCustomerOf(origin, registerCustomer) : undefined;
  const customer = who?.customer ?? (await registerCustomer(origin));
  if (brand === 'lumen') {
    await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
    await buyByCard(customer, '101');
  }
  const screens: Shown[] = addressesOf('app', who?.orders, planId)
    .filter((address) => who !== undefined || !address.includes('orderId='))
    .map((address) => ({ name: nameOf(address), address }));
  // nobody is asked about an order that waits, which would lie upon the form
  const buyer = await registerCustomer(origin);
  for (const way of own) {
    const prepare = async (page: Page) => {
      await become(buyer)(page);
      await chooseMethod(page, way.method);
    };
    screens.push({ name: `details_${way.method}`, address: checkoutAddress(way), prepare });
    const payer = await registerCustomer(origin);
    const { orderId, next } = await payInWay(payer, way, way.dials === undefined ? '' : silentPhone());
    screens.push({ name: `step_${way.method}`, address: resumePath(orderId, next), prepare: become(payer) });
  }
  return { who: customer, screens };
}

/** An order belongs to one customer, and its page to them. */
const become = (customer: Customer) => async (page: Page) => {
  await page.evaluate(
    ([session, owner, kept]) => {
      if (session && owner && kept) {
        localStorage.setItem(session, JSON.stringify(kept));
        localStorage.setItem(owner, JSON.stringify(kept.uid));
      }
    },
    [sessionKey.key, ownerKey.key, customer.session] as const,
  );
  await visit(page, page.url());
};

async function picture(page: Page, look: Look, folder: string, { name, address, prepare }: Shown): Promise<void> {
  try {
    await visit(page, address);
    if (wish.colour !== undefined) await page.addStyleTag({ content: brandCss(wish.colour) });
    await prepare?.(page);
    if (look.name === '412-large') await doubleLetters(page);
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 5000 });
    // what comes once the page lives, as lists of currencies
    await page.waitForLoadState('networkidle', { timeout: 4000 });
  } catch (error) {
    console.info(`${folder}/${name}: ${String(error).split('\n')[0]}`);
  }
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.context().setOffline(false);
}

async function pictures(context: BrowserContext, look: Look, folder: string, screens: readonly Shown[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const screen of screens) {
    const page = await context.newPage();
    // the tab of the form that was used in the picture before would stay
    await page.addInitScript((key) => localStorage.removeItem(key), loginActiveTabKey.key);
    await picture(page, look, folder, screen);
    await page.close();
  }
}

function contextOf(browser: Browser, server: ServerProcess, brand: Way['brand'], look: Look): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: server.brandOrigin(brand),
    viewport: { width: look.width, height: look.height },
    isMobile: look.phone,
    hasTouch: look.phone,
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    bypassCSP: wish.colour !== undefined,
    // the screen is told by the browser's name, the scene by the address
    ...(look.query !== '' && { userAgent: smartTv.userAgent }),
  });
}

async function takeAll(browser: Browser, server: ServerProcess): Promise<void> {
  const seen = looks.filter(({ name, rare }) => (rare ? wish.looks !== undefined : true) && wanted(wish.looks, name));
  for (const shop of shops.filter(({ brand }) => wanted(wish.brands, brand))) {
    const { brand, language, planId } = shop;
    const origin = server.brandOrigin(brand);
    const open = wanted(wish.who, 'visitor') ? await visitorScreens(origin, planId) : [];
    const own = wanted(wish.who, 'own') ? await ownScreens(server, shop) : undefined;
    for (const look of seen) {
      const context = await contextOf(browser, server, brand, look);
      const folder = join(root, '.cache/pictures', brand + (wish.colour ?? ''), look.name);
      const chosen = (list: readonly Shown[]) =>
        list
          .filter(({ name }) => beginnings.length === 0 || beginnings.some((begin) => name.startsWith(begin)))
          .map((shown) => ({
            ...shown,
            address: withQuery(shown.address, `language=${wish.language ?? language}`, look.query),
          }));
      await pictures(context, look, folder, chosen(open));
      if (own) {
        const { who, screens } = own;
        await context.addInitScript(keepOnce, { [sessionKey.key]: who.session, [ownerKey.key]: who.session.uid });
        await pictures(context, look, join(folder, 'own'), chosen([{ name: 'home', address: '/' }, ...screens]));
      }
      await context.close();
    }
  }
}

function withQuery(address: string, ...parts: readonly string[]): string {
  return parts.filter(Boolean).reduce((so, part) => `${so}${so.includes('?') ? '&' : '?'}${part}`, address);
}

const executablePath = await findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
if (process.argv.length === 2) await rm(join(root, '.cache/pictures'), { recursive: true, force: true });
const server = await startServer();
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
await takeAll(browser, server);
await browser.close();
await server.dispose();
