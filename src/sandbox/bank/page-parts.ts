import { formatMoney } from '#contract/money.ts';
import type { BankPage } from '../page-html.ts';
import type { Charge } from './bank.ts';

export function amountRow({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): readonly [string, string] {
  return ['Amount', formatMoney({ amount, currency }, 'en')];
}

interface PayableMessages {
  readonly waiting: Pick<BankPage, 'title' | 'lines'>;
  readonly expired: Pick<BankPage, 'title' | 'lines'>;
  readonly closed: string;
}

/** A page to pay a pending charge; after its expiry it can still be paid late. */
export function payablePage(charge: Charge, messages: PayableMessages): BankPage {
  const { status, returnUrl: back } = charge;
  const rows = [amountRow(charge)];
  if (status === 'waiting') {
    return { ...messages.waiting, rows, buttons: [{ action: 'pay', label: 'Pay', primary: true }], back };
  }
  if (status === 'expired') {
    return { ...messages.expired, rows, buttons: [{ action: 'pay-late', label: 'Pay late', primary: false }], back };
  }
  const paid = status === 'paid' || status === 'refunded';
  return { title: paid ? 'Paid' : 'Closed', lines: [paid ? 'The money is on its way.' : messages.closed], rows, back };
}
