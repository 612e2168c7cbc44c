import { errorCode } from '#contract/error-codes.ts';
import type { BankPage } from '../page-html.ts';
import type { Charge } from './bank.ts';
import { changeCharge, closeCharge } from './charges.ts';
import { blankCharge, type Family } from './family.ts';
import { amountRow } from './page-parts.ts';
import { processRedirectStep, approve, outcomeOfApproval, redirectTodo } from './redirect-family.ts';

/** Lifetime of a wallet's page, in milliseconds. */
export const walletLifetimeMs = 15 * 60_000;
/** Delay of a slow wallet's result after the approval, in milliseconds. */
export const slowWalletMs = 8_000;

/** Wallets with a page of their own: Alipay, YooMoney. A slow wallet reports nothing before its delay is over. */
export const wallet: Family = {
  open: (bank, request) => ({
    charge: { ...blankCharge(bank, request), expiresAt: bank.clock() + walletLifetimeMs },
  }),
  todo: (charge) => redirectTodo(charge, 'wallet'),
  takeStep: processRedirectStep,
  page: {
    name: 'wallet',
    show: walletPage,
    leaves: true,
    press: async (bank, charge, action) => {
      if (!isAwaitingPayer(charge)) return;
      if (action === 'pay') await approve(bank, charge);
      if (action === 'refuse')
        await closeCharge(bank, charge, { status: 'declined', declineCode: errorCode('paymentCancelled') });
      if (action === 'later') {
        await changeCharge(bank, charge, {
          scheduledOutcome: outcomeOfApproval(charge),
          scheduledAt: bank.clock() + slowWalletMs,
        });
      }
    },
  },
};

function isAwaitingPayer({ status, scheduledOutcome }: Charge): boolean {
  return status === 'waiting' && scheduledOutcome === null;
}

function walletPage(charge: Charge): BankPage {
  const rows = [amountRow(charge)];
  const { status, returnUrl: back } = charge;
  if (isAwaitingPayer(charge)) {
    return {
      title: 'Pay with your wallet?',
      lines: ['Check the amount before you pay.'],
      rows,
      buttons: [
        { action: 'pay', label: 'Pay', primary: true },
        { action: 'refuse', label: 'Refuse', primary: false },
        { action: 'later', label: 'Pay, tell later', primary: false },
        { action: 'leave', label: 'Leave without paying', primary: false },
      ],
    };
  }
  if (status === 'expired') return { title: 'Too late', lines: ['This page was open for too long.'], rows, back };
  if (status === 'waiting') return { title: 'One moment', lines: ['The wallet is slow today.'], rows, back };
  return { title: 'Already answered', lines: ['Your wallet knows your answer.'], rows, back };
}
