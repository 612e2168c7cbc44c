import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { deviceQuery, sso } from '#contract/sign-on.ts';
import { activeUser, bindEmailConfirmed, obtainResetPasswordEmail } from '#contract/email.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
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
// One worker for both tests: each would start a server of its own.
test.describe.configure({ mode: 'default' });

const randomSecret = () => `canary-${randomBytes(12).toString('hex')}`;
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const randomUserCode = () => Array.from(randomBytes(8), (byte) => letters[byte % letters.length]).join('');

interface SecretLink {
  readonly address: (secret: string) => string;
  readonly secret?: () => string;
  /** The request that consumes the secret; undefined where nothing does. */
  readonly call?: string;
  /** The customer has to confirm before the secret is sent. */
  readonly needsConfirmation?: boolean;
}

const accountParams = 'a=55&e=ana@example.com';
const signOn = { call: sso.path, needsConfirmation: true };
const json = (values: object) => encodeURIComponent(JSON.stringify(values));

const secretLinks: readonly SecretLink[] = [
  { address: (secret) => `/?t=${secret}&${accountParams}`, ...signOn },
  { address: (secret) => `/pricing-table?appToken=${secret}&accountId=55&loginId=ana@example.com`, ...signOn },
  { address: (secret) => `/plan-details/101?params=${json({ t: secret, a: 55, e: 'ana@example.com' })}`, ...signOn },
  {
    address: (secret) => `/tokenLogin?params=${json({ appToken: secret, accountId: 55 })}&e=ana@example.com`,
    ...signOn,
  },
  { address: (secret) => `/login?t=${secret}&${accountParams}`, ...signOn },
  // Other spellings are not accepted, and are removed all the same.
  { address: (secret) => `/?T=${secret}&${accountParams}` },
  { address: (secret) => `/help?%54oken=${secret}#AppToken=${secret}` },
  // Incomplete links, and links to pages without a sign-on.
  { address: (secret) => `/stbPayment?p=101&t=${secret}&d=box1&${accountParams}` },
  { address: (secret) => `/payment?planId=101&t=${secret}` },
  { address: (secret) => `/help?params=${json({ t: secret })}&t=${secret}` },
  { address: (secret) => `/resetPassword?token=${secret}&language=en`, call: obtainResetPasswordEmail.path },
  { address: (secret) => `/resetPassword?language=en#token=${secret}`, call: obtainResetPasswordEmail.path },
  { address: (secret) => `/activate?token=${secret}&language=en`, call: activeUser.path, needsConfirmation: true },
  { address: (secret) => `/activate?language=en#token=${secret}`, call: activeUser.path, needsConfirmation: true },
  {
    address: (secret) => `/bindEmailConfirmed?token=${secret}`,
    call: bindEmailConfirmed.path,
    needsConfirmation: true,
  },
  {
    address: (secret) => `/bindEmailConfirmed#token=${secret}`,
    call: bindEmailConfirmed.path,
    needsConfirmation: true,
  },
  { address: (secret) => `/resendConfirmation?token=${secret}`, call: activeUser.path, needsConfirmation: true },
  { address: (secret) => `/resendConfirmation#token=${secret}`, call: activeUser.path, needsConfirmation: true },
  // A response that this browser did not request is not sent at all.
  { address: (secret) => `/login?code=${secret}&state=${secret}-of-another&scope=openid` },
  { address: (secret) => `/order?user_code=${secret}&st=STB`, secret: randomUserCode, call: deviceQuery.path },
  { address: (secret) => `/device?user_code=${secret}`, secret: randomUserCode, call: deviceQuery.path },
];

const kinds = /^\/(\?t=|activate\?token|activate.*#|login\?code|device)/;
const oneOfEachKind = secretLinks.filter(({ address }) => kinds.test(address('')));
const secretsOf = (canaries: readonly Canary[]) => canaries.map(({ secret }) => secret);

/** Opens a link and confirms if the page requires it. */
async function openLink(
  page: Page,
  { address, secret: make = randomSecret, call, needsConfirmation }: SecretLink,
): Promise<Canary> {
  const secret = make();
  const canary = { secret, address: address(secret).replace(/#.*/, ''), meantFor: call === undefined ? [] : [call] };
  const response = call === undefined ? undefined : page.waitForResponse((answer) => answer.url().endsWith(call));
  await visit(page, address(secret));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(findIn(await placesOfPage(page), [secret])).toEqual([]);
  if (needsConfirmation) await page.getByRole('main').getByRole('button').first().click();
  expect((await response)?.status() ?? 400).toBeGreaterThanOrEqual(400);
  return canary;
}

/** Opens another site, then the next page with a full load. Returns the referrer that each receives. */
async function referrersAfterLeaving(page: Page, { outside }: Wiretap): Promise<string[]> {
  const opened = page.waitForEvent('popup');
  await page.evaluate((address) => void window.open(address), outside);
  const other = await opened;
  await other.waitForLoadState();
  const externalReferrer = await other.evaluate(() => document.referrer);
  await other.close();
  await page.evaluate(() => location.assign('/privacy'));
  await page.waitForURL('/privacy');
  await waitForHydration(page);
  return [externalReferrer, await page.evaluate(() => document.referrer)];
}

// The server refuses invalid secrets.
test.use({ expectedErrors: /status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/ });

test('a secret in a link is stored nowhere: not in the history, not on another site, not in the database @slow', async ({
  page,
  context,
  server,
  wiretap,
}) => {
  test.setTimeout(120_000);
  const canaries: Canary[] = [];
  for (const link of secretLinks) canaries.push(await openLink(page, link));
  // A link to the open page differs only in its fragment, which by itself loads nothing.
  const lateSecret = randomSecret();
  await visit(page, '/resend-confirm');
  await page.goto(`/resend-confirm#token=${lateSecret}`);
  await expect(page.getByRole('button', { name: 'Confirm my email' })).toBeVisible();
  canaries.push({ secret: lateSecret });
  await waitForWorker(page, 'en');
  for (const link of oneOfEachKind) {
    canaries.push(await openLink(page, link));
    expect(await referrersAfterLeaving(page, wiretap)).toEqual([`${wiretap.origin}/`, `${wiretap.origin}/`]);
    await page.goBack();
    await waitForHydration(page);
    expect(findIn(await placesOfPage(page), secretsOf(canaries))).toEqual([]);
  }
  await context.setOffline(true);
  for (const link of oneOfEachKind) {
    const { call: _, needsConfirmation: __, ...linkWithoutRequest } = link;
    canaries.push(await openLink(page, linkWithoutRequest));
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

test('the search for a secret finds one in every place @slow', async ({ page, wiretap }) => {
  const secret = randomSecret();
  await visit(page, '/help');
  const outside = page.waitForEvent('popup');
  await page.evaluate(leakSecret, { secret, outside: wiretap.outside });
  await (await outside).waitForLoadState();
  const places = {
    ...(await placesOfPage(page)),
    ...placesOfWire(wiretap, { secret }),
    ...(await placesOfBrowser(page)),
  };
  const unseen = Object.keys(places).filter((place) => !findIn(places, [secret]).join().includes(place));
  // Only a page that was reached from an address with a secret could have it there.
  expect(unseen).toEqual(['the referrer of the page']);
});

/** Runs in the page: leaks the secret to every place. */
async function leakSecret({ secret, outside }: { secret: string; outside: string }): Promise<void> {
  history.pushState({ secret }, '', `/help?t=${secret}`);
  sessionStorage.setItem('secret', secret);
  document.documentElement.dataset.secret = secret;
  const answer = await fetch(`/api/site/theme/v1?t=${secret}`, { headers: { 'x-secret': secret } });
  await answer.text();
  await fetch('/api/site/report', { method: 'POST', body: secret });
  window.open(`${outside}?t=${secret}`);
}
