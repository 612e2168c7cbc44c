/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import type { Language } from '#contract/fields.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { chooseMethod, fillCard, nextButton, openCoupon, pressAtBank } from '#tests/fixtures/checkout.ts';
import { buyByCard, cards, registerCustomer } from '#tests/fixtures/customer.ts';
import type { ServerProcess } from '#tests/fixtures/server-process.ts';
import { payInWay } from '#tests/fixtures/payment-flows/waiting-order.ts';
import { ways, type Way } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { loadTranslate, type Translate } from '#tests/fixtures/translate.ts';
import { invoiceStates } from './invoice-states.ts';
import { payByPix, payWithCard } from './place-order.ts';
import type { Shown } from './shown.ts';
import { transferStates } from './transfer-states.ts';

interface BrandPages {
  readonly origin: string;
  readonly t: Translate;
}

type PageAction = (page: Page) => Promise<void>;

/** Runs page actions one after another. */
const inOrder =
  (...actions: readonly PageAction[]): PageAction =>
  async (page) => {
    for (const action of actions) await action(page);
  };

const several = (origin: string) =>
  Promise.all([registerCustomer(origin), registerCustomer(origin), registerCustomer(origin)]);

const atPayment = (planId: string) => `/payment?planId=${planId}`;
const press =
  (name: string): PageAction =>
  (page) =>
    page.getByRole('main').getByRole('button', { name }).first().click();
const payNow: PageAction = (page) => nextButton(page).click();
const seen =
  (selector: string): PageAction =>
  (page) =>
    page.locator(selector).first().waitFor();
const byCard =
  (number: string): PageAction =>
  async (page) => {
    await chooseMethod(page, 'card');
    await fillCard(page, number);
  };

/** A customer with a running plan for several devices, after which plans for one device start. */
async function plansThatWait(origin: string): Promise<Shown[]> {
  const family = await registerCustomer(origin);
  await buyByCard(family, '301');
  return [
    { name: 'waits_home', address: '/', as: family },
    { name: 'waits_pricing', address: '/pricing-table', as: family },
    { name: 'waits_plan', address: '/plan-details/103', as: family, prepare: seen('main [class*=wait]') },
    {
      name: 'waits_payment',
      address: atPayment('103'),
      as: family,
      prepare: (page) => page.waitForURL('**/pricing-table*'),
    },
  ];
}

/** A customer with one device now and three afterwards. */
async function periods({ origin, t }: BrandPages): Promise<Shown[]> {
  const customer = await registerCustomer(origin);
  for (const planId of ['101', '301']) await buyByCard(customer, planId);
  const openApp: PageAction = (page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: t('Open the app') })
      .first()
      .click();
  const failed: PageAction = (page) => page.getByText(t('Unable to open {name} app', { name: 'Lumen' })).waitFor();
  return [
    { name: 'periods_account', address: '/account', as: customer },
    { name: 'periods_no-app', address: '/account', as: customer, prepare: inOrder(openApp, failed) },
    { name: 'periods_orders', address: '/orders', as: customer },
    { name: 'periods_home', address: '/', as: customer },
  ];
}

const applyCoupon =
  (t: Translate, code: string): PageAction =>
  async (page) => {
    const field = await openCoupon(page, t);
    await field.fill(code);
    await field.press('Enter');
  };

async function coupons({ origin, t }: BrandPages): Promise<Shown[]> {
  const [bought, untouched, bound] = await several(origin);
  await buyByCard(bought, '101');
  await payByPix(bound, 'WELCOME10');
  const applied = applyCoupon(t, 'WELCOME10');
  const refused = seen('[aria-invalid="true"]');
  const toBound = inOrder(press(t('Start a new one')), applied);
  return [
    {
      name: 'coupon_first-purchase',
      address: atPayment('102'),
      as: bought,
      prepare: inOrder(applied, refused),
    },
    {
      name: 'coupon_two-discounts',
      address: atPayment('101'),
      as: untouched,
      prepare: inOrder(applied, (page) => chooseMethod(page, 'pix'), seen('aside [data-total]')),
    },
    {
      name: 'coupon_bound',
      address: atPayment('102'),
      as: bound,
      prepare: inOrder(toBound, seen(`text=${t('Use it here')}`)),
    },
    {
      name: 'coupon_bound-asked',
      address: atPayment('102'),
      as: bound,
      prepare: inOrder(toBound, press(t('Use it here')), seen('dialog[open]')),
    },
  ];
}

async function byTypedCard({ origin }: BrandPages): Promise<Shown[]> {
  const typed = (planId: string, number: string, ...then: readonly PageAction[]) => ({
    address: atPayment(planId),
    fresh: async () => ({ as: await registerCustomer(origin) }),
    prepare: inOrder(byCard(number), ...then),
  });
  const alerted = seen('form [role="alert"]');
  const parts = await registerCustomer(origin);
  const orderId = await payWithCard(parts, '303', { installments: 3, renew: true });
  return [
    { name: 'card_typed', ...typed('303', cards.paid) },
    { name: 'card_bank', ...typed('303', cards.challenge, payNow, (page) => page.waitForURL(/\/sandbox\/bank\//)) },
    ...refusedCards(origin, alerted),
    { name: 'parts_result', address: `/paymentResult?orderId=${orderId}`, as: parts },
    { name: 'parts_receipt', address: `/receipt?orderId=${orderId}`, as: parts },
    { name: 'parts_order', address: '/orders', as: parts },
    { name: 'parts_account', address: '/account', as: parts, prepare: seen('main dl') },
    { name: 'card_again', address: atPayment('301'), as: parts, prepare: seen('form [type="radio"]') },
  ];
}

/** A new customer for each screenshot: after a decline the checkout offers to finish the existing order. */
function refusedCards(origin: string, alerted: PageAction): Shown[] {
  const refusals = {
    'card_no-funds': cards.noFunds,
    'card_wrong-code': cards.wrongCode,
    card_rejected: cards.rejected,
  };
  return Object.entries(refusals).map(([name, number]) => ({
    name,
    address: atPayment('303'),
    fresh: async () => ({ as: await registerCustomer(origin) }),
    prepare: inOrder(byCard(number), payNow, alerted),
  }));
}

/** Returns from PayPal without a payment, and other unpaid outcomes. */
async function outcomes({ origin, t }: BrandPages): Promise<Shown[]> {
  const leave = (name: string, label: string): Shown => ({
    name,
    address: atPayment('101'),
    fresh: async () => ({ as: await registerCustomer(origin) }),
    prepare: async (page) => {
      await chooseMethod(page, 'paypal');
      await payNow(page);
      await page.waitForURL(/\/sandbox\/paypal\//);
      await pressAtBank(page, label);
      await page.waitForURL(/\/paymentResult/);
    },
  });
  const [failed, waiting] = await several(origin);
  /** a new order for each screenshot, because the shop reconciles it with the bank soon */
  const unknown = async (address: (orderId: string) => string) => {
    const as = await registerCustomer(origin);
    return { as, address: address(await payWithCard(as, '101', { firstName: 'LOSTANSWER' })) };
  };
  await payWithCard(failed, '101', { number: cards.noFunds });
  await payByPix(waiting);
  return [
    leave('paypal_cancelled', 'Cancel and return'),
    leave('paypal_declined', 'Pay by a card that is declined'),
    { name: 'result_checking', address: '/', fresh: () => unknown((orderId) => `/paymentResult?orderId=${orderId}`) },
    { name: 'orders_checking', address: '/', fresh: () => unknown(() => '/orders') },
    { name: 'orders_failed', address: '/orders', as: failed },
    { name: 'orders_waiting', address: '/orders', as: waiting },
    {
      name: 'orders_cancel',
      address: '/orders',
      as: waiting,
      prepare: inOrder(press(t('Cancel order')), seen('dialog[open]')),
    },
    { name: 'waiting_home', address: '/', as: waiting },
    {
      name: 'waiting_payment',
      address: atPayment('101'),
      as: waiting,
      prepare: seen('dialog[open]'),
    },
  ];
}

/** Expired payment steps. They are created inOrder, because the clock advances for the whole shop. */
export async function expiredSteps(server: ServerProcess, brand: Way['brand']): Promise<Shown[]> {
  const origin = server.brandOrigin(brand);
  const screens: Shown[] = [];
  let last = server.now();
  for (const way of ways.filter(
    (one) => one.brand === brand && ['qr', 'push', 'otp', 'crypto', 'redirect'].includes(one.step),
  )) {
    const customer = await registerCustomer(origin);
    const { orderId, next } = await payInWay(customer, way, way.dials === undefined ? '' : '900000001');
    if ('expiresAt' in next && next.expiresAt !== undefined) last = Math.max(last, next.expiresAt);
    screens.push({ name: `expired_${way.method}`, address: resumePath(orderId, next), as: customer });
  }
  await server.passTime(last - server.now() + 1000);
  return screens;
}

/** Every customer state that no URL shows by itself: Lumen has the states of most brands, Mego the transfers. */
export async function customerStates(server: ServerProcess, brand: Way['brand'], language: Language): Promise<Shown[]> {
  const at = { origin: server.brandOrigin(brand), t: await loadTranslate(language) };
  if (brand === 'mego') return transferStates(at);
  if (brand === 'baobab') return invoiceStates(at.origin);
  return [
    ...(await plansThatWait(at.origin)),
    ...(await periods(at)),
    ...(await coupons(at)),
    ...(await byTypedCard(at)),
    ...(await outcomes(at)),
  ];
}
