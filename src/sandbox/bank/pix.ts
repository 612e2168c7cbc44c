import { brCode } from '#server/payments/br-code.ts';
import type { BankPage } from '../page-html.ts';
import type { Charge } from './bank.ts';
import { closeCharge } from './charges.ts';
import { blankCharge, pageOf, type Family } from './family.ts';
import { payablePage } from './page-parts.ts';

/** Lifetime of a Pix code, in milliseconds. */
export const pixLifetimeMs = 30 * 60_000;

/** The Pix key of the sandbox's merchant account: unassigned, so that a real bank refuses the code. */
const sandboxPixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

/** Pix: a code to be paid. Some banks transfer money after its expiry if the payment was already in progress. */
export const pix: Family = {
  open: (bank, request) => {
    const payload = brCode({
      pixKey: sandboxPixKey,
      merchantName: request.merchantName,
      merchantCity: 'SAO PAULO',
      amount: request.amount,
      txid: request.label.slice(0, 25),
    });
    return { charge: { ...blankCharge(bank, request), payload, expiresAt: bank.clock() + pixLifetimeMs } };
  },
  todo: (charge) => ({
    type: 'qr',
    payload: charge.payload ?? '',
    amount: { amount: charge.amount, currency: charge.currency },
    expiresAt: charge.expiresAt ?? 0,
    bankUrl: pageOf(charge, 'pix'),
  }),
  page: {
    name: 'pix',
    show: pixPage,
    leaves: false,
    press: async (bank, charge, action) => {
      const payable = charge.status === 'waiting' ? action === 'pay' : action === 'pay-late';
      if (payable) await closeCharge(bank, charge, { status: 'paid' });
    },
  },
};

/** What a banking app shows after it has read a Pix code. */
function pixPage(charge: Charge): BankPage {
  return payablePage(charge, {
    waiting: { title: 'Pay by Pix', lines: ['Check the amount before you pay.'] },
    expired: { title: 'Code expired', lines: ['The time of this code has passed.'] },
    closed: 'This code is closed.',
  });
}
