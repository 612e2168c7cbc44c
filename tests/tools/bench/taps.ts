/// <reference lib="dom" />
import type { Browser, CDPSession } from '@playwright/test';
import { freshAccount, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import type { Figure } from './figures.ts';
import { launchBrowser, openPhone } from './phone.ts';

/** The times of the taps after the start of the navigation, in milliseconds. */
const tapTimes = [500, 750, 1000, 1500, 2000, 3000] as const;
const outcomeMs = 20_000;

interface Scene {
  readonly path: string;
  /** the main control of the page */
  readonly control: string;
  /** the URL after a tap on it */
  readonly leadsTo: RegExp;
  /** the fields that the browser autofills before the tap */
  readonly filled?: (customer: Customer) => Readonly<Record<string, string>>;
}

const scenes: readonly Scene[] = [
  { path: '/', control: 'main a[href="/pricing-table"]', leadsTo: /\/pricing-table$/ },
  { path: '/pricing-table', control: 'main a[href^="/plan-details/"]', leadsTo: /\/plan-details\/\d+$/ },
  {
    path: '/login',
    control: 'main form button[type="submit"]',
    leadsTo: /\/account$/,
    filled: ({ account, password }) => ({ account, password }),
  },
  {
    path: '/forgot-password',
    control: 'main form button[type="submit"]',
    leadsTo: /\/forgot-password$/,
    filled: () => ({ account: freshAccount() }),
  },
];

type Outcome = 'right' | 'wrong' | 'unseen';

/**
 * Taps the main control of slow pages before, during and after the hydration; every tap on a visible control has to
 * work.
 */
export async function measureTaps(origin: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  const customer = await registerCustomer(origin);
  const figures: Figure[] = [];
  for (const scene of scenes) {
    const outcomes: Outcome[] = [];
    for (const time of tapTimes) outcomes.push(await tapAt(browser, origin, scene, time, customer));
    const seen = outcomes.filter((one) => one !== 'unseen').length;
    const right = outcomes.filter((one) => one === 'right').length;
    figures.push({
      what: `${scene.path}: taps at ${tapTimes.map((time) => time / 1000).join(', ')} s`,
      measured: `${right} right of ${seen} on a visible control`,
      ...(right < seen && {
        against: `wrong at ${tapTimes.filter((_, index) => outcomes[index] === 'wrong').join(', ')} ms`,
      }),
      target: 'all',
      met: right === seen && seen > 0,
    });
  }
  await browser.close();
  return figures;
}

async function tapAt(browser: Browser, origin: string, scene: Scene, time: number, customer: Customer) {
  const { context, page, slowDown } = await openPhone(browser);
  const session = await context.newCDPSession(page);
  await slowDown();
  const started = Date.now();
  await page.goto(origin + scene.path, { waitUntil: 'commit', timeout: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, time - (Date.now() - started))));
  const values = scene.filled?.(customer);
  const spot = await evaluate(session, `(${locate.toString()})(${JSON.stringify([scene.control, values ?? {}])})`);
  let outcome: Outcome = 'unseen';
  if (spot) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [spot] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    const arrived = await page.waitForURL(scene.leadsTo, { timeout: outcomeMs, waitUntil: 'commit' }).then(
      () => true,
      () => false,
    );
    // this form stays on its page, so the page has to confirm the request
    const done = arrived && (scene.path !== '/forgot-password' || (await namesAccount(session, values?.['account'])));
    outcome = done && !/password=/.test(page.url()) ? 'right' : 'wrong';
  }
  await context.close();
  return outcome;
}

/** Whether the page names the account that a mail was sent to; false without an account. */
async function namesAccount(session: CDPSession, account: string | undefined): Promise<boolean> {
  if (!account) return false;
  for (let waited = 0; waited < outcomeMs; waited += 250) {
    if (await evaluate(session, `document.body.innerText.includes(${JSON.stringify(account)})`)) return true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}

async function evaluate(session: CDPSession, expression: string) {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  // as: the results of `locate` and of the expression in `namesAccount`
  return result.value as { x: number; y: number } | undefined;
}

/** Runs in the page: fills in the fields and returns the position of the control, if it is painted. */
function locate([control, values]: [string, Record<string, string>]): { x: number; y: number } | undefined {
  const painted = performance.getEntriesByName('first-contentful-paint').length > 0;
  const element = [...document.querySelectorAll(control)].find((one) => one.getClientRects().length > 0);
  if (!painted || !element) return undefined;
  for (const [name, value] of Object.entries(values)) {
    const input = document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);
    if (!input) continue;
    // like autofill: bypasses the setter by which React tracks its own changes
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
