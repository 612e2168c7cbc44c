import type { BankPage } from '../page-html.ts';
import type { Charge } from './bank.ts';
import { amountRow } from './page-parts.ts';

const cancel = { action: 'cancel', label: 'Cancel', primary: false } as const;

/** The payer's phone. `code` is what the mobile operator answers to a dialled request. */
export function phonePage(charge: Charge, code: string | undefined): BankPage {
  const rows = [amountRow(charge)];
  const { status, returnUrl: back } = charge;
  if (status !== 'waiting') return { ...endMessage(status), rows, back };
  if (code !== undefined) {
    return {
      title: `Your code is ${code}`,
      lines: ['Type it in the shop. Tell it to nobody.'],
      rows,
      buttons: [cancel],
    };
  }
  const answers = [
    { action: 'pay', label: 'Pay', primary: true },
    cancel,
    { action: 'ignore', label: 'Do nothing', primary: false },
  ];
  const lines = [charge.scheduledAt === null ? 'This phone waits for you.' : 'This phone will answer by itself.'];
  return { title: 'Your phone asks: pay?', lines, rows, buttons: answers };
}

function endMessage(status: Charge['status']): Pick<BankPage, 'title' | 'lines'> {
  if (status === 'paid') return { title: 'Paid', lines: ['The money is on its way.'] };
  if (status === 'refunded') return { title: 'Given back', lines: ['The money is yours again.'] };
  if (status === 'expired') return { title: 'Too late', lines: ['The question was not answered in time.'] };
  return { title: 'Not paid', lines: ['Nothing was taken from you.'] };
}
