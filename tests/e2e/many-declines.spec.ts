import { pay } from '#contract/index.ts';
import { nextButton, readyToPay } from '#tests/fixtures/checkout.ts';
import { cards, quoteByCard } from '#tests/fixtures/customer.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ expectedErrors: /status of 4\d\d/ });

const planId = '301';

test('after three declines the device does proof of work, and the same payment then succeeds @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  const card = { code: '123', expiry: '12/39', holderFirstName: 'Ana', holderLastName: 'Souza' };
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', phone: '11987654321' };
  for (const number of [cards.rejected, cards.noFunds, cards.wrongCode]) {
    const body = {
      ...(await quoteByCard(customer, planId)),
      installments: 1,
      card: { ...card, number },
      payer,
      returnUrl: '/paymentResult',
      source: 'WEB',
    } as const;
    const sent = customer.call(pay, { body }, { idempotencyKey: crypto.randomUUID() });
    await expect(sent).rejects.toMatchObject({ params: { orderId: expect.any(String) } });
  }
  await beSignedIn(page, customer);
  await readyToPay(page, `/payment?planId=${planId}`, cards.paid);
  await nextButton(page).click();
  await expect(page.getByText('Done. Your device confirmed it for you.')).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('input[name="code"]')).toHaveValue('123');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  await page.close();
  const { ledger } = await readBooks(server, customer);
  expect(ledger.map(({ kind, amount }) => [kind, amount])).toEqual([['capture', 3490]]);
});
