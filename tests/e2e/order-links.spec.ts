import { randomUUID } from 'node:crypto';
import { goodsValuation, pay } from '#contract/index.ts';
import { cards, buyByCard, quoteByCard, type Customer } from '#tests/fixtures/customer.ts';
import { Refused } from '#tests/fixtures/shop-api.ts';
import { chooseMethod, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ expectedErrors: /status of 40[0-9]/ });

/** Creates an order whose card is declined. */
async function createDeclinedOrder(customer: Customer, planId: string): Promise<string> {
  const card = { number: cards.noFunds, expiry: '12/39', code: '123', holderFirstName: 'Ana', holderLastName: 'Souza' };
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', phone: '11987654321' };
  const quoted = await quoteByCard(customer, planId);
  const body = { ...quoted, installments: 1, card, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
  const payment = customer.call(pay, { body }, { idempotencyKey: randomUUID() });
  const orderId = await payment.then(
    () => undefined,
    (error: unknown) => (error instanceof Refused ? error.params.orderId : undefined),
  );
  if (orderId === undefined) throw new Error('The card was not declined.');
  return orderId;
}

/** Creates an order that waits for a Pix payment. */
async function createPendingOrder(customer: Customer, planId: string): Promise<string> {
  const purchase = { planId, methodCode: 'pix', currency: 'BRL' };
  const { quoteId } = await customer.call(goodsValuation, { body: purchase });
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725' };
  const body = { ...purchase, quoteId, installments: 1, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
  const { orderId } = await customer.call(pay, { body }, { idempotencyKey: randomUUID() });
  return orderId;
}

for (const [path, tag] of [
  ['/payment', ''],
  ['/stbPayment', ' @slow'],
] as const) {
  test(`${path} with only a declined order opens that order with its plan, method and price${tag}`, async ({
    page,
    customer,
    logIn,
  }) => {
    const orderId = await createDeclinedOrder(customer, '301');
    await page.goto(`${path}?orderId=${orderId}`);
    // Signed out: the login comes first and returns to the same order.
    await expect(page).toHaveURL(/\/login\?return=/);
    await logIn(page, customer);
    await expect(page).toHaveURL(new RegExp(`/payment\\?.*orderId=${orderId}`));
    await expect(page).toHaveURL(/planId=301/);
    await expect(page.locator('input[name="method"][value="card"]')).toBeChecked();
    await expect(page.getByRole('main')).toContainText('R$34.90');
    await expect(page.getByRole('main')).toContainText('Monthly Family');
    await chooseMethod(page, 'pix');
    for (const [name, text] of Object.entries({ firstName: 'Ana', lastName: 'Souza', document: '52998224725' })) {
      await page.locator(`form input[name="${name}"]`).fill(text);
    }
    await nextButton(page).click();
    await expect(page).toHaveURL(new RegExp(`/payment-pix\\?orderId=${orderId}`));
  });
}

test('/payment continues a pending order, and shows the result of a paid one @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const waiting = await createPendingOrder(customer, '101');
  const { orderId: paid } = await buyByCard(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, `/payment?orderId=${waiting}`);
  await expect(page).toHaveURL(new RegExp(`/payment-pix\\?orderId=${waiting}`));
  await visit(page, `/stbPayment?orderId=${paid}`);
  await expect(page).toHaveURL(new RegExp(`/paymentResult\\?orderId=${paid}`));
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('/payment with a missing order or that of another customer says so and offers the plans @slow', async ({
  page,
  server,
  customer,
  registerAt,
  logIn,
}) => {
  const other = await registerAt(server.origin);
  const { orderId: foreign } = await buyByCard(other, '301');
  await page.goto('/login');
  await logIn(page, customer);
  for (const address of [
    `/payment?orderId=${foreign}`,
    `/payment?orderId=NONE0000000000`,
    `/payment?planId=101&orderId=${foreign}`,
  ]) {
    await visit(page, address);
    await expect(page.getByRole('heading', { level: 1, name: 'We couldn’t find this order' }), address).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('301');
    await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'View my orders' }).click();
  await expect(page).toHaveURL('/orders');
});

test('an address with another plan than that of the order opens the plan of the order @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const orderId = await createDeclinedOrder(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, `/payment?planId=101&orderId=${orderId}`);
  await expect(page).toHaveURL(/planId=301/);
  await expect(page.getByRole('main')).toContainText('Monthly Family');
});

/** Runs in the page: records the notifications, which disappear by themselves. */
function recordNotifications(): void {
  const notifications: string[] = [];
  Object.assign(globalThis, { notifications });
  const record = () => {
    const text = document.querySelector('[role="region"][aria-label="Notice"]')?.textContent;
    if (text && notifications.at(-1) !== text) notifications.push(text);
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
}

test('the address of an unknown payment shows one message, and leads to the orders @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await page.addInitScript(recordNotifications);
  await visit(page, '/paymentResult?orderId=NOBODYSORDER');
  await expect(page.getByRole('heading', { name: 'We couldn’t find this payment' })).toBeVisible();
  await page.getByRole('link', { name: 'View my orders' }).click();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByText('You have no orders yet')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { notifications: string[] }).notifications)).toEqual([]); // as: set by recordNotifications()
});
