import { formatMoney } from '../../../contract/money.ts';
import type { BankPage } from '../page-html.ts';
import type { Order } from './order.ts';

/** What PayPal shows to its payer. */
export function checkoutPage({ status, amount, currency, cancelUrl }: Order): BankPage {
  if (status === 'COMPLETED' || status === 'VOIDED') {
    return { title: 'Nothing to do', lines: ['This payment has ended.'], back: cancelUrl };
  }
  return {
    title: 'Pay with PayPal',
    lines: ['You are signed in as a buyer who has no money, and none of it will be taken.'],
    rows: [['Amount', formatMoney({ amount, currency }, 'en')]],
    buttons: [
      { action: 'approve', label: 'Pay', primary: true },
      { action: 'decline', label: 'Pay by a card that is declined', primary: false },
      { action: 'refuse', label: 'Cancel and return', primary: false },
    ],
  };
}

/** The way back, with what PayPal adds to it: the order, and who approved it. */
export function wayBack({ id, returnUrl, cancelUrl }: Order, { approved }: { approved: boolean }): string {
  const back = new URL(approved ? returnUrl : cancelUrl);
  back.searchParams.set('token', id);
  if (approved) back.searchParams.set('PayerID', 'SANDBOXPAYER1');
  return back.href;
}
