import { orderWithNumber } from '#contract/mask.ts';
import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

interface CancelledOrder {
  readonly orderId: string;
  readonly planName: string;
  readonly methodName: string;
  /** the amount to be refunded */
  readonly amount: Money;
}

/** Confirms that a customer has cancelled a paid order. The refund has a mail of its own. */
export function withdrawalMail(
  brand: Brand,
  language: Language,
  order: CancelledOrder & { readonly byHand: boolean; readonly renewalOff: boolean },
): MailText {
  const i18n = i18nIn(language, brand);
  const { amount, methodName, byHand, renewalOff } = order;
  const values = { amount: formatMoney(amount, language), method: methodName };
  const subject = i18n._({ id: 'mail.withdrawal.subject', message: 'You cancelled your order' });
  return mailOf(brand, language, order, {
    subject,
    paragraphs: [
      byHand
        ? i18n._({
            id: 'mail.withdrawal.byHand',
            message:
              'As you asked, we’re refunding {amount}. We send this refund manually and may contact you about it.',
            values,
          })
        : i18n._({
            id: 'mail.withdrawal.byProvider',
            message: 'As you asked, we’re refunding {amount} to your payment method: {method}.',
            values,
          }),
      i18n._({
        id: 'mail.withdrawal.next',
        message: 'We’ll email you once the refund is sent. The days of this order end at that moment.',
      }),
      ...(renewalOff
        ? [
            i18n._({
              id: 'mail.withdrawal.renewal',
              message: 'Automatic renewal is off, and you won’t be charged again.',
            }),
          ]
        : []),
    ],
  });
}

/** Tells that the brand refuses the refund, and why. */
export function withdrawalRefusedMail(
  brand: Brand,
  language: Language,
  order: CancelledOrder & { readonly words: string | null },
): MailText {
  const i18n = i18nIn(language, brand);
  const subject = i18n._({ id: 'mail.withdrawalRefused.subject', message: 'We didn’t refund your order' });
  const mail = brand.config.helpShowEmail;
  return mailOf(brand, language, order, {
    subject,
    paragraphs: [
      i18n._({
        id: 'mail.withdrawalRefused.intro',
        message: 'You requested a refund, but we didn’t refund this order.',
      }),
      ...(order.words === null ? [] : [order.words]),
      i18n._({
        id: 'mail.withdrawalRefused.days',
        message: 'Your days stay the same. Automatic renewal stays off until you turn it on again.',
      }),
      ...(mail === undefined
        ? []
        : [
            i18n._({
              id: 'mail.withdrawalRefused.contact',
              message: 'If you don’t agree, contact {mail}.',
              values: { mail },
            }),
          ]),
    ],
  });
}

function mailOf(
  brand: Brand,
  language: Language,
  { orderId, planName, methodName, amount }: CancelledOrder,
  { subject, paragraphs }: { subject: string; paragraphs: readonly string[] },
): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    subject: `${subject} (${orderId})`,
    paragraphs,
    rows: [
      [i18n._({ id: 'mail.order.order', message: 'Order' }), orderWithNumber(orderId)],
      [i18n._({ id: 'mail.order.plan', message: 'Plan' }), planName],
      [i18n._({ id: 'mail.receipt.method', message: 'Payment method' }), methodName],
      [i18n._({ id: 'mail.withdrawal.amount', message: 'Refund' }), formatMoney(amount, language)],
    ],
    button: {
      label: i18n._({ id: 'mail.withdrawal.button', message: 'See your orders' }),
      url: `${brand.origin}/orders`,
    },
  });
}
