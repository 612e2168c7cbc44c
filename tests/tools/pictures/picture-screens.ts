/**
 * Takes a screenshot of every screen into `.cache/pictures/`, for review: on a phone, a large phone, a desktop, a large
 * desktop and a TV, in light and dark, in the language with the longest texts. Prints texts that are cut, broken or
 * covered. A part of `npm run pictures`. Options: `--brands=mego,acme` (acme is an operator's own brand with images),
 * `--looks=360,tv,zoomed,forced` (see `screen-settings.ts`), `--who=visitor` or `--who=own`, `--language=es`,
 * `--colour=#FFE600` for another brand colour, and the beginnings of screenshot names. Without options, earlier
 * screenshots are deleted first.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { addCoupon } from '#contract/coupons.ts';
import { languageSchema, type Language } from '#contract/fields.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { brandCss } from '#web/platform/brand/tokens.ts';
import { ownerKey, sessionKey } from '#web/platform/session/storage/keys.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { doubleTextSize } from '#tests/fixtures/overlapping-text.ts';
import { buyByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { aCustomerOf, addressesOf } from '#tests/fixtures/every-page.ts';
import { smartTv } from '#tests/fixtures/screens.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { checkoutAddress, silentPhone } from '#tests/fixtures/payment-flows/journey.ts';
import { payInWay } from '#tests/fixtures/payment-flows/waiting-order.ts';
import { ways, type Way } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { customerStates, expiredSteps } from './customer-states.ts';
import { startOwnBrand } from './own-brand.ts';
import { screenFaults } from './screen-faults.ts';
import { looks, type ScreenSetting } from './screen-settings.ts';
import { nameOf, type Shown } from './shown.ts';
import { visitorScreens } from './visitor-screens.ts';

interface ShopShown {
  readonly brand: Way['brand'];
  readonly language: Language;
  readonly planId: string;
}

/** Each brand in its language with the longest texts. */
const shops: readonly ShopShown[] = [
  { brand: 'mego', language: 'ru', planId: '202' },
  { brand: 'lumen', language: 'pt', planId: '102' },
  { brand: 'baobab', language: 'pt', planId: '501' },
];

const { values: options, positionals: beginnings } = parseArgs({
  allowPositionals: true,
  options: {
    brands: { type: 'string' },
    looks: { type: 'string' },
    who: { type: 'string' },
    language: { type: 'string' },
    colour: { type: 'string' },
  },
});
const isSelected = (list: string | undefined, name: string) => list === undefined || list.split(',').includes(name);

/** The screens of a customer with purchases, and with a pending order for every method of the brand. */
async function ownScreens(
  server: ServerProcess,
  { brand, language, planId }: ShopShown,
): Promise<{ who: Customer; screens: Shown[] }> {
  const origin = server.brandOrigin(brand);
  const expired = await expiredSteps(server, brand);
  const own = ways.filter((way) => way.brand === brand);
  const withOrders = brand === 'mego' ? await aCustomerOf(origin, registerCustomer) : undefined;
  const customer = withOrders?.customer ?? (await registerCustomer(origin));
  if (brand === 'lumen') {
    await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
    await buyByCard(customer, '101');
  }
  const screens: Shown[] = addressesOf('app', withOrders?.orders, planId)
    .filter((address) => withOrders !== undefined || !address.includes('orderId='))
    .map((address) => ({ name: nameOf(address), address }));
  // a customer without a pending order, because its dialog would cover the form
  const buyer = await registerCustomer(origin);
  for (const way of own) {
    const prepare = (page: Page) => chooseMethod(page, way.method);
    screens.push({ name: `details_${way.method}`, address: checkoutAddress(way), as: buyer, prepare });
    const payer = await registerCustomer(origin);
    const { orderId, next } = await payInWay(payer, way, way.dials === undefined ? '' : silentPhone());
    screens.push({ name: `step_${way.method}`, address: resumePath(orderId, next), as: payer });
  }
  screens.push(...expired, ...(await customerStates(server, brand, language)));
  return { who: customer, screens };
}

async function takeScreenshot(page: Page, { look, folder, language }: ScreenshotTarget, shown: Shown): Promise<void> {
  const { name, prepare } = shown;
  try {
    const created = await shown.fresh?.();
    const as = created?.as ?? shown.as;
    if (as) await page.addInitScript(storeItems, { [sessionKey.key]: as.session, [ownerKey.key]: as.session.uid });
    await visit(page, withQuery(created?.address ?? shown.address, `language=${language}`, look.query));
    await prepare?.(page);
    if (look.name === '412-large') await doubleTextSize(page);
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 5000 });
    // wait for content that loads after the hydration, such as lists of currencies
    await page.waitForLoadState('networkidle', { timeout: 4000 });
  } catch (error) {
    console.info(`${folder}/${name}: ${String(error).split('\n')[0]}`);
  }
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  for (const fault of await screenFaults(page)) console.info(`${folder}/${name}: ${fault}`);
  await page.context().setOffline(false);
}

/** Runs in the browser, on every page. */
function addStyle(css: string): void {
  addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
  });
}

/** The folder of the screenshots, and how they are taken. */
interface ScreenshotTarget {
  readonly look: ScreenSetting;
  readonly folder: string;
  readonly language: string;
}

/** Runs in the browser, on every page. */
function storeItems(items: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, JSON.stringify(value));
}

async function takeScreenshots(
  context: BrowserContext,
  target: ScreenshotTarget,
  screens: readonly Shown[],
): Promise<void> {
  const { folder } = target;
  const selected = screens.filter(
    ({ name }) => beginnings.length === 0 || beginnings.some((begin) => name.startsWith(begin)),
  );
  await mkdir(folder, { recursive: true });
  for (const screen of selected) {
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    // the form would restore the tab of the previous screenshot
    await page.addInitScript((key) => localStorage.removeItem(key), loginActiveTabKey.key);
    if (options.colour !== undefined) await page.addInitScript(addStyle, brandCss(options.colour));
    await takeScreenshot(page, target, screen);
    await page.close();
  }
}

function contextOf(browser: Browser, baseURL: string, look: ScreenSetting): Promise<BrowserContext> {
  return browser.newContext({
    baseURL,
    viewport: { width: look.width, height: look.height },
    isMobile: look.phone,
    hasTouch: look.phone,
    colorScheme: look.dark ? 'dark' : 'light',
    forcedColors: look.forcedColors ? 'active' : 'none',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    bypassCSP: options.colour !== undefined,
    // the user agent determines the screen, the URL the scene
    ...(look.query !== '' && { userAgent: smartTv.userAgent }),
  });
}

/** The screens of a shop, for visitors (`open`) and for a logged-in customer (`own`). */
interface Album {
  readonly server: ServerProcess;
  readonly brand: string;
  readonly language: string;
  readonly open: readonly Shown[];
  readonly own?: { readonly who: Customer; readonly screens: readonly Shown[] } | undefined;
}

async function take(browser: Browser, { server, brand, language, open, own }: Album): Promise<void> {
  for (const look of looks.filter(
    ({ name, rare }) => (!rare || options.looks !== undefined) && isSelected(options.looks, name),
  )) {
    const context = await contextOf(browser, server.brandOrigin(brand), look);
    const folder = join(
      root,
      '.cache/pictures',
      [brand, options.language, options.colour].filter(Boolean).join('-'),
      look.name,
    );
    await takeScreenshots(context, { look, folder, language }, open);
    if (own) {
      const { who, screens } = own;
      const all = [{ name: 'home', address: '/' }, ...screens].map((shown) => ({ as: who, ...shown }));
      await takeScreenshots(context, { look, folder: join(folder, 'own'), language }, all);
    }
    await context.close();
  }
}

async function takeDemoBrands(browser: Browser): Promise<void> {
  const server = await startServer({ movableClock: true });
  for (const shop of shops.filter(({ brand }) => isSelected(options.brands, brand))) {
    const { brand, planId } = shop;
    const language = v.parse(languageSchema, options.language ?? shop.language);
    const open = isSelected(options.who, 'visitor') ? await visitorScreens(server.brandOrigin(brand), planId) : [];
    const own = isSelected(options.who, 'own') ? await ownScreens(server, { ...shop, language }) : undefined;
    await take(browser, { server, brand, language, open, own });
  }
  await server.dispose();
}

/** An operator's own brand, with images behind its login. */
async function takeOwnBrand(browser: Browser): Promise<void> {
  const server = await startOwnBrand();
  const open = await visitorScreens(server.origin, '101');
  await take(browser, { server, brand: 'acme', language: options.language ?? 'pt', open });
  await server.dispose();
}

function withQuery(address: string, ...parts: readonly string[]): string {
  return parts.filter(Boolean).reduce((url, part) => `${url}${url.includes('?') ? '&' : '?'}${part}`, address);
}

const executablePath = findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
if (process.argv.length === 2) await rm(join(root, '.cache/pictures'), { recursive: true, force: true });
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
await takeDemoBrands(browser);
if (isSelected(options.brands, 'acme') && isSelected(options.who, 'visitor')) await takeOwnBrand(browser);
await browser.close();
