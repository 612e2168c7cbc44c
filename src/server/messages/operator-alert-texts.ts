import type { I18n } from '@lingui/core';
import { orderWithNumber } from '#contract/mask.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDateTime } from '#server/brand/i18n.ts';
import type { AlertKind } from '#server/runtime/metrics.ts';
import type { MailDraft } from './mail-html.ts';

/** Something that the operator of a brand should look at. Instants are epoch milliseconds. */
export type Alert =
  | { readonly kind: 'card_testing' | 'sms_pumping' }
  | {
      readonly kind: 'dispute_opened';
      readonly orderId: string;
      readonly amount: Money;
      readonly gateway: string;
      /** until when the provider accepts evidence; null where it does not say */
      readonly respondBy: number | null;
    }
  | {
      /** the money of a refund is not with the customer, and the shop cannot send it */
      readonly kind: 'refund_by_hand';
      readonly orderId: string;
      readonly amount: Money;
      readonly gateway: string;
      /** the method has no refunds, the provider made none, or the bank sent the money back */
      readonly reason: 'manual' | 'refused' | 'returned';
    }
  | { readonly kind: 'transfer_waiting'; readonly orderId: string; readonly amount: Money }
  | { readonly kind: 'provider_down' | 'provider_up'; readonly provider: string; readonly since: number };

export interface AlertFacts {
  readonly brand: Brand;
  readonly language: Language;
  readonly alert: Alert;
  /** epoch milliseconds */
  readonly now: number;
}

/** What the email about an alert says, in the language of `i18n`. */
export function alertTexts(i18n: I18n, facts: AlertFacts): Pick<MailDraft, 'subject' | 'paragraphs' | 'rows'> {
  const { brand, alert } = facts;
  const { name } = brand;
  switch (alert.kind) {
    case 'card_testing':
    case 'sms_pumping':
      return attackCopy[alert.kind](i18n, { name });
    case 'dispute_opened':
      return disputeCopy(i18n, facts, alert);
    case 'refund_by_hand':
      return refundCopy(i18n, facts, alert);
    case 'transfer_waiting':
      return transferCopy(i18n, facts, alert);
    case 'provider_down':
    case 'provider_up':
      return outageCopy(i18n, facts, alert);
  }
}

type AlertOf<Kind extends AlertKind> = Extract<Alert, { readonly kind: Kind }>;
type Copy = Pick<MailDraft, 'subject' | 'paragraphs'>;

const attackCopy: Readonly<
  Record<'card_testing' | 'sms_pumping', (i18n: I18n, values: { readonly name: string }) => Copy>
> = {
  card_testing: (i18n, values) => ({
    subject: i18n._({ id: 'mail.alert.cardTesting.subject', message: '{name}: many declined payments', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.cardTesting.intro',
        message:
          'Many payments of {name} were declined in a short time. Someone may be testing stolen cards, or guessing security codes.',
        values,
      }),
      i18n._({
        id: 'mail.alert.cardTesting.done',
        message:
          'The shop now requires a captcha, and then a wait, before these customers, cards and networks can try again. Check the payments with your provider.',
      }),
    ],
  }),
  sms_pumping: (i18n, values) => ({
    subject: i18n._({ id: 'mail.alert.smsPumping.subject', message: '{name}: SMS limit reached', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.smsPumping.intro',
        message:
          '{name} received more requests for SMS codes than its limit allows. Someone may be requesting them to earn money from the messages.',
        values,
      }),
      i18n._({
        id: 'mail.alert.smsPumping.done',
        message:
          'The shop sends no more SMS codes beyond the limit. Email codes and password logins aren’t affected. Check the messages with your provider.',
      }),
    ],
  }),
};

const providerRow = (i18n: I18n, gateway: string) =>
  [i18n._({ id: 'mail.alert.provider', message: 'Provider' }), gateway] as const;

const valuesOf = (
  { brand, language }: AlertFacts,
  { amount, orderId }: { readonly amount: Money; readonly orderId: string },
) => ({ name: brand.name, amount: formatMoney(amount, language), order: orderWithNumber(orderId) });

function disputeCopy(i18n: I18n, facts: AlertFacts, alert: AlertOf<'dispute_opened'>) {
  const { brand, language } = facts;
  const { gateway, respondBy } = alert;
  const values = valuesOf(facts, alert);
  const rows: (readonly [string, string])[] = [providerRow(i18n, gateway)];
  if (respondBy !== null)
    rows.push([
      i18n._({ id: 'mail.alert.respondBy', message: 'Respond by' }),
      formatDateTime(brand, language, respondBy),
    ]);
  return {
    subject: i18n._({ id: 'mail.alert.dispute.subject', message: '{name}: a payment was disputed', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.dispute.intro',
        message: 'A bank or payment provider took back {amount}, paid for order {order}.',
        values,
      }),
      i18n._({
        id: 'mail.alert.dispute.done',
        message:
          'Respond with evidence in your provider’s portal, which shows the deadline. After it, the money is lost.',
      }),
    ],
    rows,
  };
}

function refundCopy(i18n: I18n, facts: AlertFacts, alert: AlertOf<'refund_by_hand'>) {
  const values = valuesOf(facts, alert);
  return {
    subject: i18n._({ id: 'mail.alert.refund.subject', message: '{name}: a refund needs you', values }),
    paragraphs: refundParagraphs[alert.reason](i18n, values),
    rows: [providerRow(i18n, alert.gateway)],
  };
}

type RefundParagraphs = (i18n: I18n, values: Readonly<Record<'amount' | 'order', string>>) => string[];

const refundParagraphs: Readonly<Record<AlertOf<'refund_by_hand'>['reason'], RefundParagraphs>> = {
  manual: (i18n, values) => [
    i18n._({
      id: 'mail.alert.refund.manual.intro',
      message:
        'A customer cancelled order {order}. Its payment method has no automatic refunds, so send {amount} back yourself.',
      values,
    }),
    i18n._({
      id: 'mail.alert.refund.manual.done',
      message: '“withdrawals list” shows all that wait. After sending the money, run “withdrawals refunded”.',
    }),
  ],
  refused: (i18n, values) => [
    i18n._({
      id: 'mail.alert.refund.refused.intro',
      message: 'The refund of {amount} for order {order} wasn’t made, so the customer doesn’t have the money.',
      values,
    }),
    i18n._({
      id: 'mail.alert.refund.refused.done',
      message:
        'Make the refund in your provider’s portal, or send the money another way. If “orders show” doesn’t list it after that, run “withdrawals refunded”, for a part with “--amount”.',
    }),
  ],
  returned: (i18n, values) => [
    i18n._({
      id: 'mail.alert.refund.returned.intro',
      message:
        'The refund of {amount} for order {order} came back from the customer’s bank, so the customer doesn’t have the money.',
      values,
    }),
    i18n._({
      id: 'mail.alert.refund.returned.done',
      message: 'Ask the customer for another account, and send the money there yourself.',
    }),
  ],
};

function transferCopy(i18n: I18n, facts: AlertFacts, alert: AlertOf<'transfer_waiting'>): Copy {
  const values = valuesOf(facts, alert);
  return {
    subject: i18n._({ id: 'mail.alert.transfer.subject', message: '{name}: a transfer is waiting for review', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.transfer.intro',
        message: 'A customer sent proof of payment for a transfer of {amount}, for order {order}.',
        values,
      }),
      i18n._({
        id: 'mail.alert.transfer.done',
        message:
          'Check that the money is in your account, then accept or reject it. “transfers list” shows all that wait.',
      }),
    ],
  };
}

function outageCopy(
  i18n: I18n,
  { brand, language, now }: AlertFacts,
  alert: AlertOf<'provider_down' | 'provider_up'>,
): Copy {
  const values = {
    name: brand.name,
    provider: alert.provider,
    since: formatDateTime(brand, language, alert.since),
    until: formatDateTime(brand, language, now),
  };
  if (alert.kind === 'provider_up')
    return {
      subject: i18n._({ id: 'mail.alert.up.subject', message: '{name}: {provider} is responding again', values }),
      paragraphs: [
        i18n._({
          id: 'mail.alert.up.intro',
          message:
            '{provider} didn’t respond from {since} to {until}. The shop is checking the payments from that time.',
          values,
        }),
      ],
    };
  return {
    subject: i18n._({ id: 'mail.alert.down.subject', message: '{name}: {provider} isn’t responding', values }),
    paragraphs: [
      i18n._({
        id: 'mail.alert.down.intro',
        message: 'Requests to {provider} have failed since {since}. The shop keeps checking open payments.',
        values,
      }),
      i18n._({
        id: 'mail.alert.down.done',
        message: 'Check your provider’s status page. We’ll email you when it responds again.',
      }),
    ],
  };
}
