import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { deviceQuery, sso } from '#contract/sign-on.ts';
import { activeUser, bindEmailConfirmed, obtainResetPasswordEmail } from '#contract/email.ts';
import { alive, visit } from '#tests/fixtures/checkout.ts';
import {
  findIn,
  placesOfBrowser,
  placesOfDatabase,
  placesOfPage,
  placesOfWire,
  type Canary,
} from '#tests/fixtures/traces.ts';
import { expect, test } from '#tests/fixtures/traced-shop.ts';
import type { Wiretap } from '#tests/fixtures/wiretap.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

test.use({ serviceWorkers: 'allow' });
// one worker for both, because each would start a shop of its own
test.describe.configure({ mode: 'default' });

const madeUp = () => `canary-${randomBytes(12).toString('hex')}`;
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const madeUpUserCode = () => Array.from(randomBytes(8), (byte) => letters[byte % letters.length]).join('');

interface Door {
  readonly address: (secret: string) => string;
  readonly secret?: () => string;
  /** the call that the secret is for; where the door leads to nothing that needs it, there is none */
  readonly call?: string;
  /** somebody has to say yes before it is sent */
  readonly asks?: boolean;
}

const who = 'a=55&e=ana@example.com';
const signOn = { call: sso.path, asks: true };
const json = (values: object) => encodeURIComponent(JSON.stringify(values));

const doors: readonly Door[] = [
  { address: (secret) => `/?t=${secret}&${who}`, ...signOn },
  { address: (secret) => `/pricing-table?appToken=${secret}&accountId=55&loginId=ana@example.com`, ...signOn },
  { address: (secret) => `/plan-details/101?params=${json({ t: secret, a: 55, e: 'ana@example.com' })}`, ...signOn },
  {
    address: (secret) => `/tokenLogin?params=${json({ appToken: secret, accountId: 55 })}&e=ana@example.com`,
    ...signOn,
  },
  { address: (secret) => `/login?t=${secret}&${who}`, ...signOn },
  // other spellings open nothing, and are gone all the same
  { address: (secret) => `/?T=${secret}&${who}` },
  { address: (secret) => `/help?%54oken=${secret}#AppToken=${secret}` },
  // links that are not whole, or lead where nobody signs on
  { address: (secret) => `/stbPayment?p=101&t=${secret}&d=box1&${who}` },
  { address: (secret) => `/payment?planId=101&t=${secret}` },
  { address: (secret) => `/help?params=${json({ t: secret })}&t=${secret}` },
  { address: (secret) => `/resetPassword?token=${secret}&language=en`, call: obtainResetPasswordEmail.path },
  { address: (secret) => `/resetPassword?language=en#token=${secret}`, call: obtainResetPasswordEmail.path },
  { address: (secret) => `/activate?token=${secret}&language=en`, call: activeUser.path, asks: true },
  { address: (secret) => `/activate?language=en#token=${secret}`, call: activeUser.path, asks: true },
  { address: (secret) => `/bindEmailConfirmed?token=${secret}`, call: bindEmailConfirmed.path, asks: true },
  { address: (secret) => `/bindEmailConfirmed#token=${secret}`, call: bindEmailConfirmed.path, asks: true },
  { address: (secret) => `/resendConfirmation?token=${secret}`, call: activeUser.path, asks: true },
  { address: (secret) => `/resendConfirmation#token=${secret}`, call: activeUser.path, asks: true },
  // an answer that nobody here has asked for is not even sent on
  { address: (secret) => `/login?code=${secret}&state=${secret}-of-another&scope=openid` },
  { address: (secret) => `/order?user_code=${secret}&st=STB`, secret: madeUpUserCode, call: deviceQuery.path },
  { address: (secret) => `/device?user_code=${secret}`, secret: madeUpUserCode, call: deviceQuery.path },
];

const kinds = /^\/(\?t=|activate\?token|activate.*#|login\?code|device)/;
const oneOfEachKind = doors.filter(({ address }) => kinds.test(address('')));
const secretsOf = (canaries: readonly Canary[]) => canaries.map(({ secret }) => secret);

/** Goes in by a door and does what the page asks for. */
async function enter(page: Page, { address, secret: make = madeUp, call, asks }: Door): Promise<Canary> {
  const secret = make();
  const canary = { secret, address: address(secret).replace(/#.*/, ''), meantFor: call === undefined ? [] : [call] };
  const heard = call === undefined ? undefined : page.waitForResponse((answer) => answer.url().endsWith(call));
  await visit(page, address(secret));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(findIn(await placesOfPage(page), [secret])).toEqual([]);
  if (asks) await page.getByRole('main').getByRole('button').first().click();
  expect((await heard)?.status() ?? 400).toBeGreaterThanOrEqual(400);
  return canary;
}

/** Opens another site, then the next page of ours by a full load, and tells what each hears of where it came from. */
async function moveOn(page: Page, { outside }: Wiretap): Promise<string[]> {
  const opened = page.waitForEvent('popup');
  await page.evaluate((address) => void window.open(address), outside);
  const other = await opened;
  await other.waitForLoadState();
  const told = await other.evaluate(() => document.referrer);
  await other.close();
  await page.evaluate(() => location.assign('/privacy'));
  await page.waitForURL('/privacy');
  await alive(page);
  return [told, await page.evaluate(() => document.referrer)];
}

// a made-up secret is refused
test.use({ expectedErrors: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ });

test('a secret that a link brings is nowhere once the page is there: not in the history, not on another site, not in the books @slow', async ({
  page,
  context,
  server,
  wiretap,
}) => {
  test.setTimeout(120_000);
  const canaries: Canary[] = [];
  for (const door of doors) canaries.push(await enter(page, door));
  // a link to the page that is open differs by its fragment alone, which by itself loads nothing
  const late = madeUp();
  await visit(page, '/resend-confirm');
  await page.goto(`/resend-confirm#token=${late}`);
  await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible();
  canaries.push({ secret: late });
  await waitForWorker(page, 'en');
  for (const door of oneOfEachKind) {
    canaries.push(await enter(page, door));
    expect(await moveOn(page, wiretap)).toEqual([`${wiretap.origin}/`, `${wiretap.origin}/`]);
    await page.goBack();
    await alive(page);
    expect(findIn(await placesOfPage(page), secretsOf(canaries))).toEqual([]);
  }
  await context.setOffline(true);
  for (const door of oneOfEachKind) {
    const { call: _, asks: __, ...closed } = door;
    canaries.push(await enter(page, closed));
  }
  await context.setOffline(false);
  await visit(page, '/help');

  const everywhere = { ...(await placesOfPage(page)), ...(await placesOfBrowser(page)), output: server.output() };
  expect(findIn(everywhere, secretsOf(canaries))).toEqual([]);
  expect(canaries.flatMap((canary) => findIn(placesOfWire(wiretap, canary), [canary.secret]))).toEqual([]);
  await page.close();
  await server.stop();
  expect(findIn(await placesOfDatabase(server.dataDir), secretsOf(canaries))).toEqual([]);
  await server.restart();
});

test('the search for a secret would find one in every place @slow', async ({ page, wiretap }) => {
  const secret = madeUp();
  await visit(page, '/help');
  const outside = page.waitForEvent('popup');
  await page.evaluate(leaveEverywhere, { secret, outside: wiretap.outside });
  await (await outside).waitForLoadState();
  const places = {
    ...(await placesOfPage(page)),
    ...placesOfWire(wiretap, { secret }),
    ...(await placesOfBrowser(page)),
  };
  const unseen = Object.keys(places).filter((place) => !findIn(places, [secret]).join().includes(place));
  // only a page that was reached from an address with a secret could have it there
  expect(unseen).toEqual(['the referrer of the page']);
});

/** In the browser: does everything wrong. */
async function leaveEverywhere({ secret, outside }: { secret: string; outside: string }): Promise<void> {
  history.pushState({ secret }, '', `/help?t=${secret}`);
  sessionStorage.setItem('secret', secret);
  document.documentElement.dataset.secret = secret;
  const answer = await fetch(`/api/site/theme/v1?t=${secret}`, { headers: { 'x-secret': secret } });
  await answer.text();
  await fetch('/api/site/report', { method: 'POST', body: secret });
  window.open(`${outside}?t=${secret}`);
}
