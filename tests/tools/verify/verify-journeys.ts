/**
 * Counts what a journey takes, by going it in a browser: screens, taps and typed fields, on a phone and on a desktop. `npm run
 * verify:journeys` prints the table of tests/README.md; arguments are parts of the names of the journeys that are wanted.
 *
 * A screen is an address of the shop with its step, from the one where the journey begins to the last one that asks for something: the
 * result, the page of a bank and the mailbox are none. A tap is a press on something that is not chosen already; a field that is filled,
 * or that is not there, is not typed. Autofill does nothing here.
 */
import { stripVTControlCharacters } from 'node:util';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '../../../.scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { ownerKey, sessionKey } from '#web/platform/session/storage/keys.ts';
import { cards, registerCustomer } from '#tests/fixtures/customer.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { storeOnce } from '#tests/fixtures/test.ts';
import { byCard, bySavedCard, payByMethod, keepsCard, payByMethodAndSettle } from './journeys/paying.ts';
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
  /** what is done before, and not counted */
  readonly before?: Walk;
  readonly walk: Walk;
  /** nobody is signed in */
  readonly stranger?: boolean;
}

const journeys: readonly Journey[] = [
  { name: 'log in by password', brand: 'lumen', stranger: true, walk: logInByPassword },
  { name: 'log in by code', brand: 'lumen', stranger: true, before: aMinutePasses, walk: logInByCode },
  { name: 'log in by a pasted number', brand: 'mego', stranger: true, walk: logInByPastedNumber },
  { name: 'log in by passkey', brand: 'lumen', stranger: true, before: makesPasskey, walk: logInByPasskey },
  { name: 'a new password by a code', brand: 'mego', stranger: true, walk: newPasswordByCode },
  { name: 'sign up by mail, with a code', brand: 'lumen', stranger: true, walk: signUp },
  { name: 'sign up by Google', brand: 'lumen', stranger: true, walk: signUpByGoogle },
  { name: 'first purchase by card', brand: 'lumen', walk: byCard(cards.paid) },
  { name: 'a first card with a question of the bank', brand: 'lumen', walk: byCard(cards.challenge) },
  { name: 'another new card', brand: 'lumen', before: byCard(cards.paid), walk: byCard(cards.paid, '102') },
  { name: 'a saved card', brand: 'lumen', before: keepsCard, walk: bySavedCard },
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
  { name: 'coins', brand: 'mego', walk: payByMethod('mego', 'crypto') },
  { name: 'a wallet', brand: 'mego', walk: payByMethod('mego', 'alipay') },
  { name: 'a transfer', brand: 'mego', walk: payByMethod('mego', 'caishen') },
  { name: 'M-Pesa', brand: 'baobab', walk: payByMethod('baobab', 'mpesa') },
];

async function go(browser: Browser, shop: Shop, size: Size, journey: Journey): Promise<string> {
  const origin = shop.origin(journey.brand);
  const who = await registerCustomer(origin);
  const context = await browser.newContext({ ...sizes[size], baseURL: origin, locale: 'en-US' });
  try {
    if (!journey.stranger)
      await context.addInitScript(storeOnce, { [sessionKey.key]: who.session, [ownerKey.key]: who.session.uid });
    const person = new Person(await context.newPage());
    await journey.before?.(person, shop, who);
    await journey.walk(person, shop, who);
    return `${person.screens} / ${person.taps} / ${person.typed}`;
  } catch (error) {
    process.exitCode = 1;
    // the first lines say what failed, the others where it waited
    return `not to its end: ${stripVTControlCharacters(String(error)).split('\n').slice(0, 6).join(' ')}`;
  } finally {
    await context.close();
  }
}

const wish = process.argv.length > 2 ? process.argv.slice(2) : [''];
const wanted = journeys.filter(({ name }) => wish.some((part) => name.includes(part)));
const executablePath = findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
const server = await startServer();
const shop: Shop = { origin: (brand) => server.brandOrigin(brand) };
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
console.info('| Journey: screens / taps / typed | phone | desktop |\n| --- | --- | --- |');
for (const journey of wanted) {
  const onPhone = await go(browser, shop, 'phone', journey);
  console.info(`| ${journey.name} | ${onPhone} | ${await go(browser, shop, 'desktop', journey)} |`);
}
await browser.close();
await server.dispose();
