import type { ChargeKind } from '#sandbox/gateway/protocol.ts';
import { card } from './card.ts';
import { coin } from './coin.ts';
import {
  type Family,
  blankCharge,
  pageOf,
  payablePage,
  amountRow,
  processRedirectStep,
  approve,
  outcomeOfApproval,
  redirectStep,
} from './family.ts';
import { mobile } from './mobile.ts';
import { brCode } from '#server/payments/br-code.ts';
import type { BankPage, PageButton } from '#sandbox/page-html.ts';
import type { Charge, Bank } from './bank.ts';
import { closeCharge, changeCharge } from './charges.ts';
import { slipValidityDays } from '#contract/limits.ts';
import { boleto, lineOf, addDays, bankDay, endOfBankDay } from '#server/payments/boleto.ts';
import { errorCode } from '#contract/error-codes.ts';

/** Lifetime of a wallet's page, in milliseconds. */
const walletLifetimeMs = 15 * 60_000;
/** Delay of a slow wallet's result after the approval, in milliseconds. */
export const slowWalletMs = 8_000;

/** Wallets with a page of their own: Alipay, YooMoney. A slow wallet reports nothing before its delay is over. */
const wallet: Family = {
  open: (bank, request) => ({
    charge: { ...blankCharge(bank, request), expiresAt: bank.clock() + walletLifetimeMs },
  }),
  nextStep: (charge) => redirectStep(charge, 'wallet'),
  performStep: processRedirectStep,
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
        { action: 'later', label: 'Pay, notify later', primary: false },
        { action: 'leave', label: 'Leave without paying', primary: false },
      ],
    };
  }
  if (status === 'expired') return { title: 'Too late', lines: ['This page was open for too long.'], rows, back };
  if (status === 'waiting') return { title: 'One moment', lines: ['The wallet is slow today.'], rows, back };
  return { title: 'Already answered', lines: ['Your wallet knows your answer.'], rows, back };
}

/** Not assigned to any bank, so that a real one refuses the slip. */
const sandboxBank = '999';
const digits = '0123456789';
/** Delay of a payment that is scheduled for tomorrow, in milliseconds. */
const payTomorrowMs = 24 * 60 * 60_000;

/**
 * Boleto: a slip that is paid at any bank, at once or days later. Its due date is a day in Brasília. The payer's bank
 * may still send a payment after that day, if it was scheduled before or the customer insists.
 */
const slip: Family = {
  open: (bank, request) => {
    const dueDay = addDays(bankDay(bank.clock()), slipValidityDays);
    const free = bank.random.text(digits, 25);
    const { barcode } = boleto({ bank: sandboxBank, amount: request.amount, free, dueDay });
    return { charge: { ...blankCharge(bank, request), payload: barcode, expiresAt: endOfBankDay(dueDay) } };
  },
  nextStep: (charge) => ({
    type: 'ticket',
    barcode: charge.payload ?? '',
    line: lineOf(charge.payload ?? ''),
    amount: { amount: charge.amount, currency: charge.currency },
    dueDate: bankDay(charge.expiresAt ?? 0),
    expiresAt: charge.expiresAt ?? 0,
    bankUrl: pageOf(charge, 'slip'),
  }),
  page: { name: 'slip', show: slipPage, leaves: false, press: paySlip },
};

async function paySlip(bank: Bank, charge: Charge, action: string): Promise<void> {
  const { status } = charge;
  if (status === 'waiting' ? action === 'pay' : status === 'expired' && action === 'pay-late') {
    await closeCharge(bank, charge, { status: 'paid' });
  }
  if (status === 'waiting' && action === 'pay-tomorrow' && charge.scheduledAt === null) {
    await changeCharge(bank, charge, {
      scheduledOutcome: { status: 'paid' },
      scheduledAt: bank.clock() + payTomorrowMs,
    });
  }
}

const payNow: PageButton = { action: 'pay', label: 'Pay now', primary: true };
const payTomorrow: PageButton = { action: 'pay-tomorrow', label: 'Pay tomorrow', primary: false };
const payLate: PageButton = { action: 'pay-late', label: 'Pay late', primary: false };

/** What a banking app shows after it has read a slip. */
function slipPage(charge: Charge): BankPage {
  const { payload, expiresAt, returnUrl: back } = charge;
  const due = ['Due', bankDay(expiresAt ?? 0)] as const;
  const rows = [amountRow(charge), due, ['Line', lineOf(payload ?? '')] as const];
  return { ...slipMessage(charge), rows, back };
}

function slipMessage({ status, scheduledAt }: Charge): Pick<BankPage, 'title' | 'lines' | 'buttons'> {
  if (status === 'paid' || status === 'refunded') return { title: 'Paid', lines: ['The money is on its way.'] };
  if (status === 'declined') return { title: 'Closed', lines: ['This slip can be paid no more.'] };
  if (scheduledAt !== null) {
    const buttons = status === 'waiting' ? [payNow] : [];
    return { title: 'Ordered', lines: ['Your bank will pay this slip in a day.'], buttons };
  }
  if (status === 'expired') {
    return { title: 'Slip expired', lines: ['The due day of this slip has passed.'], buttons: [payLate] };
  }
  return { title: 'Pay a slip', lines: ['Check the amount before you pay.'], buttons: [payNow, payTomorrow] };
}

/** Lifetime of a Pix code, in milliseconds. */
const pixLifetimeMs = 30 * 60_000;

/** The Pix key of the sandbox's merchant account: unassigned, so that a real bank refuses the code. */
const sandboxPixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

/** Pix: a code to be paid. Some banks transfer money after its expiry if the payment was already in progress. */
const pix: Family = {
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
  nextStep: (charge) => ({
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

/** Every payment method family that the sandbox bank simulates. */
export const families: Readonly<Record<ChargeKind, Family>> = { card, pix, slip, mobile, wallet, coin };
