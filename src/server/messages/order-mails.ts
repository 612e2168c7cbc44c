import { orderWithNumber } from '#contract/mask.ts';
import type { I18n } from '@lingui/core';
import type { Language } from '#contract/fields.ts';
import type { Seller } from '#contract/brand.ts';
import { formatInstallments } from '#contract/installment-parts.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { NextStep, ProofRejection } from '#contract/next-step.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn, formatDateTime } from '#server/brand/i18n.ts';
import { type MailDraft, renderMail, type MailText } from './mail-html.ts';
import { alreadyPaidNote, slipOpening } from './order-end-mails.ts';
import { renewalTerms } from './renewal-chosen-mail.ts';

interface OrderFacts {
  readonly orderId: string;
  readonly planName: string;
  readonly methodName: string;
  readonly total: Money;
}

/** The content of a receipt. Instants are epoch milliseconds. */
export interface Receipt extends OrderFacts {
  /** 1 for a single payment */
  readonly installments: number;
  readonly paidAt: number;
  /** the order's own period; it starts after earlier paid days */
  readonly serviceStart: number;
  readonly serviceEnd: number;
  /** of the card that paid; null for other methods */
  readonly cardLast4: string | null;
  readonly seller: Seller | null;
  /** set where the customer turned on automatic renewal with this payment */
  readonly renewal?: { readonly price: Money; readonly chargeAt: number } | undefined;
}

/** Confirms a payment that has arrived. */
export function receiptMail(brand: Brand, language: Language, receipt: Receipt): MailText {
  const i18n = i18nIn(language, brand);
  const { orderId, installments, cardLast4, seller } = receipt;
  const methodName = cardLast4 === null ? receipt.methodName : `${receipt.methodName} •••• ${cardLast4}`;
  const subject = i18n._({ id: 'mail.receipt.subject', message: 'We’ve received your payment' });
  const inParts = [
    i18n._({ id: 'mail.receipt.installments', message: 'Installments' }),
    formatInstallments({ count: installments, total: receipt.total }, language),
  ] as const;
  const from = i18n._({ id: 'mail.receipt.from', message: 'Starts after your other days, on' });
  const begins = [from, formatDay(brand, language, receipt.serviceStart)] as const;
  return renderMail(brand, language, {
    subject: `${subject} (${orderId})`,
    paragraphs: [
      i18n._({
        id: 'mail.receipt.intro',
        message: 'Thank you! We’ve received your payment, and the days are in your account.',
      }),
      ...(receipt.renewal ? [renewalTerms(brand, language, receipt.renewal)] : []),
    ],
    rows: [
      ...orderRows(
        i18n,
        language,
        { ...receipt, methodName },
        i18n._({ id: 'mail.receipt.method', message: 'Payment method' }),
      ),
      ...(installments > 1 ? [inParts] : []),
      [i18n._({ id: 'mail.receipt.paid', message: 'Paid on' }), formatDay(brand, language, receipt.paidAt)],
      ...(receipt.serviceStart > receipt.paidAt ? [begins] : []),
      [i18n._({ id: 'mail.receipt.until', message: 'Valid until' }), formatDay(brand, language, receipt.serviceEnd)],
      ...(seller ? [soldBy(i18n, seller)] : []),
    ],
    button: {
      label: i18n._({ id: 'mail.receipt.button', message: 'Open receipt' }),
      url: `${brand.origin}/receipt?orderId=${orderId}`,
    },
    closing: i18n._({ id: 'mail.receipt.closing', message: 'Enjoy,' }),
  });
}

/** The seller, which the law of most countries requires on a proof of purchase. */
function soldBy(i18n: I18n, { legalName, taxNumber }: Seller): Row {
  const who = taxNumber === undefined ? legalName : `${legalName}, ${taxNumber}`;
  return [i18n._({ id: 'mail.receipt.seller', message: 'Sold by' }), who];
}

/** The content of a reminder, or of a mail about a rejected proof. */
export interface Reminder extends OrderFacts {
  /** the next step; `none` for an order that needs a new payment code first */
  readonly next: NextStep;
  /** `slip`: a new Boleto; `slipEnds`: it expires soon; otherwise the customer requested the mail */
  readonly occasion?: 'slip' | 'slipEnds';
}

/**
 * Says what is needed to pay a pending order, with a link to it. The link names the order and contains no token: mails
 * are forwarded and stored for years, so its owner has to sign in. It leads to our own page even where a bank's page is
 * next, because that page may have changed or closed since.
 */
export function reminderMail(brand: Brand, language: Language, reminder: Reminder): MailText {
  const i18n = i18nIn(language, brand);
  const { orderId, next } = reminder;
  const { rows = [], copy } = needed(i18n, brand, next, language);
  const { subject, intro } =
    next.type === 'upload' && next.proof === 'rejected'
      ? rejected(i18n, next.rejection)
      : reminder.occasion
        ? slipOpening(i18n, reminder.occasion)
        : waiting(i18n);
  return renderMail(brand, language, {
    subject: `${subject} (${orderId})`,
    paragraphs: [intro],
    rows: [
      ...orderRows(i18n, language, reminder, i18n._({ id: 'mail.reminder.method', message: 'Payment method' })),
      ...rows,
    ],
    ...(copy && { copy }),
    button: {
      label: i18n._({ id: 'mail.reminder.button', message: 'Continue payment' }),
      url: `${brand.origin}/payment-step?orderId=${orderId}`,
    },
    notes: [alreadyPaidNote(i18n, next)],
  });
}

type Row = readonly [label: string, value: string];

function orderRows(
  i18n: I18n,
  language: Language,
  { orderId, planName, methodName, total }: OrderFacts,
  paidBy: string,
): Row[] {
  return [
    [i18n._({ id: 'mail.order.order', message: 'Order' }), orderWithNumber(orderId)],
    [i18n._({ id: 'mail.order.plan', message: 'Plan' }), planName],
    [paidBy, methodName],
    [i18n._({ id: 'mail.order.total', message: 'Total' }), formatMoney(total, language)],
  ];
}

const waiting = (i18n: I18n) => ({
  subject: i18n._({ id: 'mail.reminder.subject', message: 'Your order is waiting for payment' }),
  intro: i18n._({
    id: 'mail.reminder.intro',
    message: 'As you asked, here’s what you need to finish your purchase.',
  }),
});

/** The variant for a proof of transfer that the shop could not accept. */
const rejected = (i18n: I18n, rejection: ProofRejection = { reason: 'notFound' }) => ({
  subject: i18n._({ id: 'mail.rejectedProof.subject', message: 'We couldn’t accept your proof of payment' }),
  intro: [rejectionWords(i18n, rejection.reason), rejection.words ?? ''].filter((words) => words !== '').join(' '),
});

/** What is wrong with a proof, and what to do about it. */
function rejectionWords(i18n: I18n, reason: ProofRejection['reason']): string {
  switch (reason) {
    case 'notFound':
      return i18n._({
        id: 'mail.rejectedProof.intro',
        message:
          'We couldn’t find your transfer with the proof of payment you sent. Please send one that shows the amount and the reference.',
      });
    case 'unreadable':
      return i18n._({
        id: 'mail.rejectedProof.unreadable',
        message: 'We couldn’t read the proof of payment you sent. Please send a sharper picture that shows all of it.',
      });
    case 'otherAmount':
      return i18n._({
        id: 'mail.rejectedProof.amount',
        message: 'The amount on your proof of payment doesn’t match this order. Please check it and send a new one.',
      });
    case 'otherReference':
      return i18n._({
        id: 'mail.rejectedProof.reference',
        message: 'The reference on your proof of payment doesn’t match this order. Please check it and send a new one.',
      });
    case 'noTransfer':
      return i18n._({
        id: 'mail.rejectedProof.noTransfer',
        message:
          'This picture doesn’t show a transfer. Please send the confirmation your bank shows once the transfer is done.',
      });
  }
}

type Needed = Pick<MailDraft, 'rows' | 'copy'>;

/** What the payer types or copies elsewhere, and by when. */
function needed(i18n: I18n, brand: Brand, next: NextStep, language: Language): Needed {
  const until = (instant: number): Row => [
    i18n._({ id: 'mail.reminder.until', message: 'Pay by' }),
    formatDateTime(brand, language, instant),
  ];
  switch (next.type) {
    case 'qr': {
      const label = i18n._({ id: 'mail.reminder.pixCode', message: 'Pix code to copy and paste' });
      return { rows: [until(next.expiresAt)], copy: { label, text: next.payload } };
    }
    case 'ticket': {
      const label = i18n._({ id: 'mail.reminder.slipLine', message: 'Boleto number to copy' });
      const due = i18n._({ id: 'mail.reminder.due', message: 'Due date' });
      return { rows: [[due, formatDay(brand, language, next.dueDate)]], copy: { label, text: next.line } };
    }
    case 'crypto':
      return next.chosen ? coinsNeeded(i18n, next.chosen, until(next.expiresAt)) : { rows: [until(next.expiresAt)] };
    case 'upload':
      return transferNeeded(i18n, next, until(next.expiresAt));
    case 'push':
    case 'otp':
      return { rows: [until(next.expiresAt)] };
    case 'redirect':
      return next.expiresAt === undefined ? {} : { rows: [until(next.expiresAt)] };
    case 'none':
      return {};
  }
}

type Coins = NonNullable<Extract<NextStep, { type: 'crypto' }>['chosen']>;

function coinsNeeded(i18n: I18n, { asset, network, missing, address }: Coins, until: Row): Needed {
  const rows: Row[] = [
    [i18n._({ id: 'mail.reminder.network', message: 'Network' }), network],
    [i18n._({ id: 'mail.reminder.amount', message: 'Exact amount' }), `${missing} ${asset}`],
    until,
  ];
  return {
    rows,
    copy: { label: i18n._({ id: 'mail.reminder.address', message: 'Address to send to' }), text: address },
  };
}

type Transfer = Extract<NextStep, { type: 'upload' }>;

function transferNeeded(i18n: I18n, { receiver, reference, payload }: Transfer, until: Row): Needed {
  const account: Row = [i18n._({ id: 'mail.reminder.account', message: 'Account' }), receiver.account];
  const rows: Row[] = [
    [i18n._({ id: 'mail.reminder.receiver', message: 'Recipient' }), receiver.name],
    // the QR code contains the receiving account
    ...(payload === null ? [account] : []),
    until,
  ];
  return {
    rows,
    copy: { label: i18n._({ id: 'mail.reminder.reference', message: 'Reference to include' }), text: reference },
  };
}
