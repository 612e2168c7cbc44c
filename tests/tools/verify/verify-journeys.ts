/**
 * Counts the screens, taps and typed fields of journeys in a browser, on a phone and on a desktop. `npm run
 * verify:journeys` prints the table of tests/figures.md; arguments are parts of the names of the selected journeys.
 *
 * A screen is a path of the shop with its step, from the start of the journey to the last one that requires input. The
 * result, the page of a bank and the mailbox do not count. A tap on a selected option and a field that is filled
 * already do not count. Autofill is off.
 */
import { stripVTControlCharacters } from 'node:util';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { ownerKey, sessionKey } from '#web/platform/session/storage/keys.ts';
import { cards, registerCustomer } from '#tests/fixtures/customer.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { storeOnce } from '#tests/fixtures/test.ts';
import {
  byCard,
  bySavedCard,
  payByMethod,
  keepsCard,
  newCustomerPays,
  payByMethodAndSettle,
} from './journeys/paying.ts';
import { Person } from './journeys/person.ts';
import {
  aMinutePasses,
  logInByCode,
  logInByPasskey,
  logInByPassword,
  logInByPastedNumber,
  makesPasskey,
  newPasswordByCode,
  signUp,
  signUpByGoogle,
} from './journeys/signing-in.ts';
import type { Shop, Walk } from './journeys/walk.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;
const sizes = { phone, desktop } as const;
type Size = keyof typeof sizes;

interface Journey {
  readonly name: string;
  readonly brand: string;
  /** the preparation, which is not counted */
  readonly before?: Walk;
  readonly walk: Walk;
  /** starts without a session */
  readonly loggedOut?: boolean;
}

const journeys: readonly Journey[] = [
  { name: 'log in by password', brand: 'lumen', loggedOut: true, walk: logInByPassword },
  { name: 'log in by code', brand: 'lumen', loggedOut: true, before: aMinutePasses, walk: logInByCode },
  { name: 'log in by a pasted number', brand: 'mego', loggedOut: true, walk: logInByPastedNumber },
  { name: 'log in by passkey', brand: 'lumen', loggedOut: true, before: makesPasskey, walk: logInByPasskey },
  { name: 'new password by a code', brand: 'mego', loggedOut: true, walk: newPasswordByCode },
  { name: 'sign up by email with a code', brand: 'lumen', loggedOut: true, walk: signUp },
  { name: 'sign up by Google', brand: 'lumen', loggedOut: true, walk: signUpByGoogle },
  { name: 'a visitor becomes a customer by card', brand: 'lumen', loggedOut: true, walk: newCustomerPays('card') },
  { name: 'a visitor becomes a customer by Pix', brand: 'lumen', loggedOut: true, walk: newCustomerPays('pix') },
  { name: 'first purchase by card', brand: 'lumen', walk: byCard(cards.paid) },
  { name: 'first card with authentication', brand: 'lumen', walk: byCard(cards.challenge) },
  { name: 'another new card', brand: 'lumen', before: byCard(cards.paid), walk: byCard(cards.paid, '102') },
  { name: 'saved card', brand: 'lumen', before: keepsCard, walk: bySavedCard },
  { name: 'first Pix', brand: 'lumen', walk: payByMethod('lumen', 'pix') },
  {
    name: 'Pix again',
    brand: 'lumen',
    before: payByMethodAndSettle('lumen', 'pix'),
    walk: payByMethod('lumen', 'pix', '102'),
  },
  { name: 'first Boleto', brand: 'lumen', walk: payByMethod('lumen', 'boleto') },
  {
    name: 'Boleto again',
    brand: 'lumen',
    before: payByMethodAndSettle('lumen', 'boleto'),
    walk: payByMethod('lumen', 'boleto', '102'),
  },
  { name: 'PayPal', brand: 'lumen', walk: payByMethod('lumen', 'paypal') },
  { name: 'cryptocurrency', brand: 'mego', walk: payByMethod('mego', 'crypto') },
  { name: 'wallet', brand: 'mego', walk: payByMethod('mego', 'alipay') },
  { name: 'transfer', brand: 'mego', walk: payByMethod('mego', 'caishen') },
  { name: 'M-Pesa', brand: 'baobab', walk: payByMethod('baobab', 'mpesa') },
];

async function measure(browser: Browser, shop: Shop, size: Size, journey: Journey): Promise<string> {
  const origin = shop.origin(journey.brand);
  const customer = await registerCustomer(origin);
  const context = await browser.newContext({ ...sizes[size], baseURL: origin, locale: 'en-US' });
  try {
    if (!journey.loggedOut)
      await context.addInitScript(storeOnce, {
        [sessionKey.key]: customer.session,
        [ownerKey.key]: customer.session.uid,
      });
    const person = new Person(await context.newPage());
    await journey.before?.(person, shop, customer);
    await journey.walk(person, shop, customer);
    return `${person.screens} / ${person.taps} / ${person.typed}`;
  } catch (error) {
    process.exitCode = 1;
    // the first lines contain the error, the others the call log
    return `failed: ${stripVTControlCharacters(String(error)).split('\n').slice(0, 6).join(' ')}`;
  } finally {
    await context.close();
  }
}

const parts = process.argv.length > 2 ? process.argv.slice(2) : [''];
const selected = journeys.filter(({ name }) => parts.some((part) => name.includes(part)));
const executablePath = findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
const server = await startServer();
const shop: Shop = { origin: (brand) => server.brandOrigin(brand) };
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
console.info('| Journey: screens / taps / typed | phone | desktop |\n| --- | --- | --- |');
for (const journey of selected) {
  const onPhone = await measure(browser, shop, 'phone', journey);
  console.info(`| ${journey.name} | ${onPhone} | ${await measure(browser, shop, 'desktop', journey)} |`);
}
await browser.close();
await server.dispose();
