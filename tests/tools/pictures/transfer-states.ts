import type { Page } from '@playwright/test';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { smallPicture } from '#tests/fixtures/small-picture.ts';
import { payInWay } from '#tests/fixtures/payment-flows/waiting-order.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';
import type { Translate } from '#tests/fixtures/translate.ts';
import type { Shown } from './shown.ts';

/**
 * A transfer by PayNow: a proof that the page rejects, one that is sent, one that a reviewer rejects, and the orders.
 */
export async function transferStates({ origin, t }: { origin: string; t: Translate }): Promise<Shown[]> {
  const picture = smallPicture('transfer.png', 200);
  const damaged = { ...picture, buffer: picture.buffer.subarray(0, picture.buffer.length / 2) };
  const choose = (page: Page, file: typeof picture) => page.locator('input[type="file"]').setInputFiles(file);
  const send = async (page: Page) => {
    await choose(page, picture);
    await page.getByRole('button', { name: t('Send proof of payment') }).click();
    await page.getByText(t('We’ve received your proof of payment')).waitFor();
  };
  const reject = async (page: Page) => {
    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
    const reviewPage = await page.context().newPage();
    await reviewPage.goto(`${origin}/sandbox/desk`);
    const proof = reviewPage.locator('section').filter({ hasText: orderId });
    await proof.getByRole('button', { name: 'Reject' }).click();
    await reviewPage.close();
  };
  const orders = async (page: Page) => visit(page, page.url().replace(/\/paynowTips\?orderId=\w+&?/, '/orders?'));
  /** a new customer for each screenshot, because a submitted proof of payment is stored */
  const shown = (name: string, prepare: (page: Page) => Promise<void>): Shown => ({
    name,
    address: '/',
    fresh: async () => {
      const as = await registerCustomer(origin);
      const { orderId, next } = await payInWay(as, payNow);
      return { as, address: resumePath(orderId, next) };
    },
    prepare,
  });
  return [
    shown('transfer_damaged', async (page) => {
      await choose(page, damaged);
      await page
        .getByText(
          t(
            'We can’t open this picture: it’s damaged or incomplete. Take a screenshot of the transfer and choose that.',
          ),
        )
        .waitFor();
    }),
    shown('transfer_chosen', async (page) => {
      await choose(page, picture);
      await page.getByRole('img', { name: t('Your proof of payment') }).waitFor();
    }),
    shown('transfer_sent', send),
    shown('transfer_sent-orders', async (page) => {
      await send(page);
      await orders(page);
    }),
    shown('transfer_rejected', async (page) => {
      await send(page);
      await reject(page);
      await page.getByText(t('We couldn’t accept your proof of payment')).waitFor();
    }),
    shown('transfer_rejected-orders', async (page) => {
      await send(page);
      await reject(page);
      await orders(page);
    }),
  ];
}

const payNow = ways.find(({ method }) => method === 'paynow') ?? fail();

function fail(): never {
  throw new Error('no way to pay by PayNow');
}
