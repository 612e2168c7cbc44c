import { slipValidityDays } from '#contract/limits.ts';
import { addDays, bankDay, endOfBankDay } from '#server/payments/boleto-days.ts';
import { boleto, lineOf } from '#server/payments/boleto.ts';
import type { BankPage, PageButton } from '../page-html.ts';
import type { Bank, Charge } from './bank.ts';
import { changeCharge, closeCharge } from './charges.ts';
import { blankCharge, pageOf, type Family } from './family.ts';
import { amountRow } from './page-parts.ts';

/** Not assigned to any bank, so that a real one refuses the slip. */
const sandboxBank = '999';
const digits = '0123456789';
/** Delay of a payment that is scheduled for tomorrow, in milliseconds. */
export const payTomorrowMs = 24 * 60 * 60_000;

/**
 * Boleto: a slip that is paid at any bank, at once or days later. Its due date is a day in Brasília. The payer's bank
 * may still send a payment after that day, if it was scheduled before or the customer insists.
 */
export const slip: Family = {
  open: (bank, request) => {
    const dueDay = addDays(bankDay(bank.clock()), slipValidityDays);
    const free = bank.random.text(digits, 25);
    const { barcode } = boleto({ bank: sandboxBank, amount: request.amount, free, dueDay });
    return { charge: { ...blankCharge(bank, request), payload: barcode, expiresAt: endOfBankDay(dueDay) } };
  },
  todo: (charge) => ({
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
