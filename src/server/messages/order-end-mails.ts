import { orderWithNumber } from '#contract/mask.ts';
import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';
import type { I18n } from '@lingui/core';
import type { NextStep } from '#contract/next-step.ts';

interface EndedOrder {
  readonly orderId: string;
  readonly planName: string;
  readonly total: Money;
}

/** Confirms that the payment of an order is being refunded; `hasEnded`: its days were over before. */
export function refundMail(
  brand: Brand,
  language: Language,
  order: EndedOrder & { readonly hasEnded?: boolean },
): MailText {
  const i18n = i18nIn(language, brand);
  return mailOf(brand, language, order, {
    subject: i18n._({ id: 'mail.refund.subject', message: 'Your refund is on its way' }),
    paragraphs: [
      i18n._({
        id: 'mail.refund.intro',
        message:
          'We’ve refunded what you paid for this order. The money returns the way you paid, and your bank may take a few days.',
      }),
      ...(order.hasEnded ? [] : [endedDays(i18n)]),
    ],
  });
}

/** Confirms a partial refund, and says whether access continues; `past` for an order whose days were over before. */
export function partialRefundMail(
  brand: Brand,
  language: Language,
  order: EndedOrder & { readonly part: Money; readonly days: 'unchanged' | 'ended' | 'past' },
): MailText {
  const i18n = i18nIn(language, brand);
  return mailOf(brand, language, order, {
    subject: i18n._({ id: 'mail.part.subject', message: 'Part of your money is on its way back' }),
    paragraphs: [
      i18n._({
        id: 'mail.part.intro',
        message:
          'We’ve refunded part of what you paid for this order. The money returns the way you paid, and your bank may take a few days.',
      }),
      ...(order.days === 'ended' ? [endedDays(i18n)] : []),
      ...(order.days === 'unchanged' ? [i18n._({ id: 'mail.part.days', message: 'Your days stay the same.' })] : []),
    ],
    rows: [[i18n._({ id: 'mail.part.amount', message: 'Refunded' }), formatMoney(order.part, language)]],
  });
}

const endedDays = (i18n: I18n) =>
  i18n._({ id: 'mail.refund.days', message: 'The remaining days of this order have ended.' });

/** Confirms that an order is cancelled and that its payment code is no longer valid. */
export function cancelledMail(brand: Brand, language: Language, order: EndedOrder): MailText {
  const i18n = i18nIn(language, brand);
  return mailOf(brand, language, order, {
    subject: i18n._({ id: 'mail.cancelled.subject', message: 'Your order was cancelled' }),
    paragraphs: [
      i18n._({
        id: 'mail.cancelled.intro',
        message: 'We’ve cancelled this order. Please don’t pay its code or boleto; a new order has a new one.',
      }),
    ],
  });
}

interface Told {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** rows in addition to those of every order */
  readonly rows?: readonly [string, string][];
}

function mailOf(
  brand: Brand,
  language: Language,
  order: EndedOrder,
  { subject, paragraphs, rows = [] }: Told,
): MailText {
  const i18n = i18nIn(language, brand);
  const { orderId, planName, total } = order;
  return renderMail(brand, language, {
    subject: `${subject} (${orderId})`,
    paragraphs,
    rows: [
      [i18n._({ id: 'mail.order.order', message: 'Order' }), orderWithNumber(orderId)],
      [i18n._({ id: 'mail.order.plan', message: 'Plan' }), planName],
      [i18n._({ id: 'mail.order.total', message: 'Total' }), formatMoney(total, language)],
      ...rows,
    ],
  });
}

/** The note for a customer who may already have paid. It must not contradict what the mail requests. */
export function alreadyPaidNote(i18n: I18n, next: NextStep): string {
  if (next.type === 'upload') {
    return i18n._({
      id: 'mail.reminder.proofMissing',
      message: 'If you’ve already sent the money, don’t send it again: we only need your proof of payment.',
    });
  }
  if (next.type === 'crypto') {
    return i18n._({
      id: 'mail.reminder.coinsSent',
      message: 'If you’ve already sent the whole amount, there’s nothing to do. Please don’t send it twice.',
    });
  }
  return i18n._({
    id: 'mail.reminder.paid',
    message: 'If you’ve already paid, there’s nothing to do. Please don’t pay twice.',
  });
}

/** Subject and first sentence of the mails about a Boleto that the customer did not request. */
export function slipOpening(i18n: I18n, occasion: 'slip' | 'slipEnds') {
  if (occasion === 'slip') {
    return {
      subject: i18n._({ id: 'mail.slip.subject', message: 'Here’s your boleto' }),
      intro: i18n._({
        id: 'mail.slip.intro',
        message:
          'Pay it in your bank’s app or at a branch by the due date. Your bank may take up to 3 business days to confirm it.',
      }),
    };
  }
  return {
    subject: i18n._({ id: 'mail.slipEnds.subject', message: 'Your boleto expires soon' }),
    intro: i18n._({
      id: 'mail.slipEnds.intro',
      message: 'You can still pay it in your bank’s app or at a branch until the due date.',
    }),
  };
}
