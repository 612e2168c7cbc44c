import { once } from 'node:events';
import { request } from 'node:http';
import { cards, freshAccount, goodPassword, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import type { InputDriver } from './input-drivers.ts';
import type { Person } from './person.ts';

export interface Shopper {
  readonly person: Person;
  readonly driver: InputDriver;
  /** The origin of the storefront. */
  readonly origin: string;
}

const next = '[data-sticky-bar] button[type="submit"]';
const named = (name: string) => `form input[name="${name}"]`;
const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725' };
const card = { number: cards.paid, expiry: '1239', code: '123', ...payer, phone: '11987654321' };
export const alive = 'html[data-hydrated] h1';

export async function visit({ person, origin }: Shopper, path: string): Promise<void> {
  await person.open(origin + path);
  await person.see(alive);
}

async function choose({ driver, person }: Shopper, method: string): Promise<void> {
  await driver.press(`${named('method')}[value="${method}"]`);
  // On a wide screen the details expand below the method.
  if (await person.ask(() => document.querySelector('form[data-one-page]') !== null, null)) return;
  // a tap continues by itself, but not the OK of a TV
  const isTv = await person.ask(() => document.documentElement.dataset['screen'] === 'TV', null);
  if (isTv) await driver.press(next);
  await person.at(/[?&]step=details/);
}

async function fillIn({ driver }: Shopper, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await driver.fill(named(name), text);
}

/** Logs in by typing, up to the payment of a plan. */
async function logInToPay(shopper: Shopper, customer: Pick<Customer, 'account' | 'password'>): Promise<void> {
  const { driver, person } = shopper;
  await visit(shopper, '/login?return=%2Fpayment%3FplanId%3D101');
  await driver.fill('input[autocomplete^="username"]', customer.account);
  await driver.fill('input[autocomplete="current-password"]', customer.password);
  await driver.press('form button[type="submit"]');
  await person.at(/^\/payment\?/);
}

async function payByCard(shopper: Shopper): Promise<void> {
  await choose(shopper, 'card');
  await fillIn(shopper, card);
  await shopper.driver.press(next);
  await shopper.person.see('h1', 'Payment received');
  await shopper.person.at(/^\/paymentResult\?.*orderId=/);
}

/** A visitor looks at the plans, signs up on the way and pays by card. */
export async function buyAsNewcomer(shopper: Shopper, account: string = freshAccount()): Promise<void> {
  const { driver, person, origin } = shopper;
  await visit(shopper, '/pricing-table');
  await driver.press('input[name="period"][value="month"]');
  await driver.press('main a[href^="/payment?planId=101"]');
  await person.at(/^\/register/);
  await person.see('main [role="status"]', 'You must log in to continue');
  await driver.fill(named('account'), account);
  await driver.press('form button|Continue');
  await driver.fill(named('code'), await codeTo(origin, account));
  await driver.fill(named('password'), goodPassword);
  await driver.fill(named('repeated'), goodPassword);
  await driver.press(named('agreed'));
  await driver.press('form button[type="submit"]');
  await person.at(/^\/payment\?/);
  await payByCard(shopper);
}

/** A customer logs in and pays by card. */
export async function buyByCard(shopper: Shopper): Promise<void> {
  await logInToPay(shopper, await registerCustomer(shopper.origin));
  await payByCard(shopper);
}

/** A customer, who has paid by card without a renewal, adds a PayPal account in the account page and renews by it. */
export async function renewByPaypal(shopper: Shopper): Promise<void> {
  const { driver, person } = shopper;
  await visit(shopper, '/account');
  await driver.press('main section button|Turn on');
  await driver.press('dialog input[value="new paypal"]');
  await driver.press('dialog button|Continue to PayPal');
  await driver.press('button|Agree and continue');
  await person.at(/^\/account$/);
  await person.see('dialog', 'PayPal b***@example.com');
  await driver.press('dialog button|Agree and turn on');
  await person.see('[role="alert"]', 'Automatic renewal is on');
}

/** A customer logs in and pays by Pix at the bank, on another device. The page then updates by itself. */
export async function buyByPix(shopper: Shopper): Promise<void> {
  await logInToPay(shopper, await registerCustomer(shopper.origin));
  await payByPix(shopper, payer);
}

/** A signed-in customer, whose name and document are known from an earlier order, pays by Pix. */
export async function buyAgainByPix(shopper: Shopper): Promise<void> {
  await visit(shopper, '/payment?planId=102');
  await payByPix(shopper, {});
}

async function payByPix(shopper: Shopper, fields: Readonly<Record<string, string>>): Promise<void> {
  const { driver, person } = shopper;
  await choose(shopper, 'pix');
  await fillIn(shopper, fields);
  await driver.press(next);
  await person.at(/^\/payment-pix\?/);
  await person.see('h1', 'Pay with Pix');
  const bank = await person.ask(
    () => document.querySelector<HTMLAnchorElement>('a[href*="/sandbox/bank/"]')?.href,
    null,
  );
  await payAtBank(bank ?? '');
  await person.see('h1', 'Payment received');
}

/** Submits "Pay" to the page of the bank, which belongs to another party. */
async function payAtBank(address: string): Promise<void> {
  const { host, port, pathname } = new URL(address);
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded', origin: new URL(address).origin };
  const sent = request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers });
  const answered = once(sent, 'response');
  sent.end('action=pay');
  const [answer] = (await answered) as [{ statusCode?: number; resume(): void }]; // as: `response` carries one message
  answer.resume();
  if (answer.statusCode !== 303) throw new Error(`The bank answered ${answer.statusCode}`);
}
