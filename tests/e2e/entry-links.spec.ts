import type { Browser, Page } from '@playwright/test';
import * as v from 'valibot';
import { report, signup } from '#contract/index.ts';
import { waitForHydration } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** An invalid token in the format of an email token. */
const canary = 'canary-of-the-stories-0123456789-abcdefghij';

/** Links of emails, of the app and of TV devices, with the address and the heading that they lead to. */
const links = [
  { from: '/order?la=ru', to: '/login?return=%2Forders%3Fla%3Dru&reason=needed', says: 'Log in' },
  {
    from: `/stbPayment?p=201&t=${canary}&la=pt`,
    to: '/register?return=%2Fpayment%3Fla%3Dpt%26planId%3D201&reason=needed',
    says: 'Create your account',
  },
  { from: `/plan?la=es&token=${canary}`, to: '/pricing-table', says: 'Choose your plan' },
  { from: `/tokenLogin?language=ru&appToken=${canary}`, to: '/pricing-table', says: 'Choose your plan' },
  { from: `/resetPassword?token=${canary}&language=pt`, to: '/reset-password', says: 'Choose a new password' },
  { from: `/activate?language=ru&token=${canary}`, to: '/resend-confirm', says: 'Confirm your email' },
  {
    from: `/bindEmailConfirmed?token=${canary}&language=es`,
    to: '/notice?type=bindEmail',
    says: 'Add this email to your account?',
  },
  { from: `/resendConfirmation?language=pt&token=${canary}`, to: '/resend-confirm', says: 'Confirm your email' },
] as const;

/** The address without the parameters that a language adds. */
const addressOf = (page: Page) => {
  const { pathname, searchParams } = new URL(page.url());
  for (const name of ['language', 'la', 'p']) searchParams.delete(name);
  return pathname + (searchParams.size > 0 ? `?${searchParams.toString()}` : '');
};

test.describe('an old link', () => {
  // The server refuses the invalid token.
  test.use({ expectedErrors: /status of 410 .*resetPassword/ });

  for (const { from, to, says } of links) {
    test(`${from.split('?')[0]} opens its page in its language, and no address contains its token @slow`, async ({
      page,
      server,
    }) => {
      const origin = server.brandOrigin('mego');
      const language = /(?:la|language)=(\w\w)/.exec(from)?.[1] as 'pt' | 'es' | 'ru'; // as: each link names one of them
      const t = await loadTranslate(language);
      await page.goto(origin + from);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t(says));
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
      expect(addressOf(page)).toBe(to);

      await page.goBack();
      await page.goForward();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(page.url()).not.toContain(canary);
    });
  }

  test('with a cut token says so and offers a new one, with the account that was typed', async ({ page }) => {
    const account = freshAccount();
    await page.goto('/login');
    await waitForHydration(page);
    await page.locator('input[autocomplete^="username"]').fill(account);
    await page.goto('/resetPassword?token=cut&language=en');
    await expect(page.getByText('This link is no longer available')).toBeVisible();
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await expect(page).toHaveURL('/forgot-password');
    await expect(page.locator('input[autocomplete^="username"]')).toHaveValue(account);
    await page.goto('/activate?token=cut&language=en');
    await expect(page.getByText('This link is no longer available')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Email me' })).toBeVisible();
  });

  test('sets the language of later pages in the tab, and of a reload', async ({ page, server }) => {
    const origin = server.brandOrigin('mego');
    await page.goto(`${origin}/resetPassword?token=${canary}&language=pt`);
    await waitForHydration(page);
    await page.goto(`${origin}/help`);
    await expect(page.locator('html')).toHaveAttribute('lang', /^pt/);
    await page.goto(`${origin}/plan?la=ru`);
    await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
    await waitForHydration(page);
    await page.goto(`${origin}/help`);
    await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
    await page.goto(`${origin}/pricing-table?language=en`);
    await expect.poll(() => page.evaluate(() => document.cookie)).toContain('language=en');
    await page.goto(`${origin}/`);
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/);
  });
});

test.describe('a link with device info', () => {
  test.use(desktop);

  test('leads to sign-up, which sends the device info but no token @slow', async ({ page, server }) => {
    const account = freshAccount();
    await page.goto(`/pricing-table?d=MX-9&aid=box-7&psl=home&st=APP&did=4711&t=${canary}&la=en`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
    expect(page.url()).not.toContain(canary);
    await waitForHydration(page);
    await page.reload();
    await waitForHydration(page);

    await page.locator('input[autocomplete^="username"]').fill(account);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('Verification code').fill(await codeTo(server.origin, account));
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.getByLabel('Repeat password').fill(goodPassword);
    await page.locator('input[name="agreed"]').check();
    const sent = page.waitForRequest((request) => request.url().endsWith(signup.path));
    await page.getByRole('button', { name: 'Create account' }).click();
    const { entry } = (await sent).postDataJSON() as { entry: unknown }; // as: the test checks this property
    expect(entry).toEqual({
      deviceInfo: 'MX-9',
      aid: 'box-7',
      psl: 'home',
      sourceType: 'APP',
      did: '4711',
      language: 'en',
    });
    await expect(page).toHaveURL('/pricing-table');
  });
});

test.describe('a link with JSON parameters', () => {
  const withParams = (json: string) => `/pricing-table?params=${encodeURIComponent(json)}`;

  test('fills in the account at the login, and returns to its target', async ({ page, customer, logIn }) => {
    await page.goto(withParams(JSON.stringify({ loginId: customer.account, la: 'es', p: 103, colour: 'red' })));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText((await loadTranslate('es'))('Log in'));
    await expect(page.locator('input[autocomplete^="username"]')).toHaveValue(customer.account);
    expect(page.url()).not.toMatch(/params|colour/);
    await logIn(page, customer);
    await expect(page).toHaveURL('/plan-details/103');
  });

  test('that is malformed, too large or malicious opens the plain page @slow', async ({ page }) => {
    const useless = [
      '{"loginId": "ana',
      '"text"',
      'null',
      '[["loginId","ana@example.com"]]',
      JSON.stringify({ loginId: 'ana@example.com', filler: 'x'.repeat(3000) }),
      '{"__proto__": {"loginId": "ana@example.com"}, "constructor": "x"}',
      `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
    ];
    for (const json of useless) {
      await page.goto(withParams(json));
      await waitForHydration(page);
      await expect(page.getByRole('heading', { level: 1 }), json.slice(0, 40)).toHaveText('Choose your plan');
      await expect(page).toHaveURL('/pricing-table');
    }
    expect(await page.evaluate(() => 'loginId' in {})).toBe(false);
  });
});

test('a token with its account requires confirmation on every page, with short and long parameter names @slow', async ({
  page,
}) => {
  const account = 'maria@example.com';
  const tokenLinks: readonly [from: string, back: string][] = [
    [`/?t=${canary}&a=${account}&e=${account}`, '/'],
    [`/pricing-table?appToken=${canary}&a=${account}&loginId=${account}`, '/pricing-table'],
    [`/plan?t=${canary}&accountId=${account}&e=${account}&p=103`, '/plan-details/103'],
    [`/plan-details/101?appToken=${canary}&accountId=${account}&loginId=${account}`, '/plan-details/101'],
    [`/order?t=${canary}&a=${account}&loginId=${account}`, '/order'],
    [`/stb-orders?t=${canary}&accountId=${account}&e=${account}&st=STB`, '/stb-orders'],
    [`/payment?appToken=${canary}&a=${account}&e=${account}&id=101`, '/payment?planId=101'],
  ];
  for (const [from, back] of tokenLinks) {
    await page.goto(from);
    await expect(page.getByRole('heading', { level: 1 }), from).toHaveText('Continue as m***@example.com?');
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('return')]).toEqual(['/login', back]);
    expect(page.url()).not.toContain(canary);
  }
});

interface Entrance {
  readonly from: string;
  readonly scene: string;
  readonly entranceWay: string;
}

/** Uses a context of its own, because the scene is stored for a tab. */
async function expectScene({ from, scene, entranceWay }: Entrance, browser: Browser, baseURL: string): Promise<void> {
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const page = await context.newPage();
  for (const address of [from, '/help']) {
    const counted = page.waitForRequest((request) => request.url().endsWith(report.path));
    await page.goto(address);
    await waitForHydration(page);
    const request = await counted;
    // The scene affects navigation, not styles: this is the browser of a desktop.
    await expect(page.locator('html')).not.toHaveAttribute('data-screen');
    expect(request.headers()['scene'], `${from}, at ${address}`).toBe(scene);
    const { events } = v.parse(report.body, request.postDataJSON());
    expect([...new Set(events.map(({ fieldsMap }) => fieldsMap.entrance_way))]).toEqual([entranceWay]);
  }
  await context.close();
}

test.describe('the entrance of a visitor', () => {
  const entrances: readonly Entrance[] = [
    { from: '/?r=BX-200', scene: 'STB', entranceWay: 'boxScanQR' },
    { from: '/pricing-table?st=stb', scene: 'STB', entranceWay: 'boxScanQR' },
    { from: '/pricing-table?releaseId=APP-3.2', scene: 'WEB', entranceWay: 'mobileGoToWebsite' },
    { from: '/?sourceType=mobile', scene: 'WEB', entranceWay: 'mobileGoToWebsite' },
    { from: '/', scene: 'WEB', entranceWay: 'memberSite' },
  ];

  test('sets the scene of the tab and is counted @slow', async ({ browser, server }) => {
    await Promise.all(entrances.map((entrance) => expectScene(entrance, browser, server.origin)));
  });
});
