import { chooseMethod, fillCard, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { cards } from '#tests/fixtures/customer.ts';
import { checkoutAddress, silentPhone } from '#tests/fixtures/payment-flows/journey.ts';
import { ways, type Way } from '#tests/fixtures/payment-flows/payment-flows.ts';
import type { Person } from './person.ts';
import { signUpHere } from './signing-in.ts';
import type { Walk } from './walk.ts';

/** From the methods to the payment button, until the checkout is left. */
async function pay(person: Person, method: string, typed: Readonly<Record<string, string>>): Promise<void> {
  const { page } = person;
  const radio = page.locator(`input[name="method"][value="${method}"]`);
  await radio.waitFor({ state: 'attached' });
  const isOnePage = (await page.locator('form[data-one-page]').count()) > 0;
  // on a phone the tap on the method continues
  if (!isOnePage || !(await radio.isChecked())) await person.tap(page.locator('label').filter({ has: radio }));
  if (!isOnePage) await page.waitForURL(/step=details/);
  await person.typeAsked(typed);
  await person.tap(nextButton(page));
  await page.waitForURL((url) => url.pathname !== '/payment', { timeout: 30_000 });
}

const cardFields = (number: string) => ({
  number,
  expiry: '12/39',
  code: '123',
  firstName: 'Ana',
  lastName: 'Souza',
  document: '52998224725',
  phone: '11987654321',
});
const checkoutOf = (planId: string) => `/payment?planId=${planId}`;

export const byCard =
  (number: string, planId = '101'): Walk =>
  async (person) => {
    await person.open(checkoutOf(planId));
    await pay(person, 'card', cardFields(number));
  };

/** Pays with a first card and saves it by the checkbox. */
export const keepsCard: Walk = async ({ page }) => {
  await visit(page, checkoutOf('101'));
  await chooseMethod(page, 'card');
  await fillCard(page, cards.paid);
  await page.locator('input[name="saveCard"]').check();
  await nextButton(page).click();
  await page.waitForURL(/paymentResult/, { timeout: 30_000 });
};

export const bySavedCard: Walk = async (person) => {
  // the last method is preselected, and the step of the methods is skipped
  await person.open(checkoutOf('103'));
  await person.type('code', '123');
  await person.tap(nextButton(person.page));
  await person.page.waitForURL((url) => url.pathname !== '/payment', { timeout: 30_000 });
};

function wayOf(brand: string, method: string): Way {
  const way = ways.find((one) => one.brand === brand && one.method === method);
  if (!way) throw new Error(`no way to pay by ${method}`);
  return way;
}

/** Pays by a method of a demo brand. */
export const payByMethod = (brand: string, method: string, planId?: string): Walk => {
  const way = wayOf(brand, method);
  const typed = { ...way.typed, ...(way.dials !== undefined && { mobile: silentPhone() }) };
  return async (person) => {
    await person.open(checkoutAddress({ ...way, planId: planId ?? way.planId }));
    await pay(person, method, typed);
  };
};

/**
 * Pays and completes the payment: with a pending order, or for the same plan, the checkout would show a dialog first.
 */
export const payByMethodAndSettle =
  (brand: string, method: string): Walk =>
  async (person, shop, who) => {
    const { page } = person;
    await payByMethod(brand, method)(person, shop, who);
    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
    await page.goto((await page.locator('a[href*="/sandbox/bank/"]').getAttribute('href')) ?? '');
    await pressAtBank(page, wayOf(brand, method).yes);
    await page.waitForLoadState();
    await visit(page, `/paymentResult?orderId=${orderId}`);
    await page.getByRole('heading', { name: 'Payment received' }).waitFor({ timeout: 60_000 });
  };

/** Chooses a plan without an account, signs up on the way and pays. */
export const newCustomerPays =
  (method: 'card' | 'pix'): Walk =>
  async (person, shop) => {
    await person.open('/pricing-table');
    await person.tap(person.page.getByRole('link', { name: /^Choose/ }).filter({ visible: true }));
    await person.page.waitForURL(/\/register/);
    await signUpHere(person, shop);
    await pay(person, method, method === 'card' ? cardFields(cards.paid) : wayOf('lumen', 'pix').typed);
  };
