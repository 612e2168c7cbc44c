import type { I18n } from '@lingui/core';
import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

/** Instants are epoch milliseconds. */
export interface RenewalFacts {
  readonly planName: string;
  readonly price: Money;
  /** last four digits; null where the card was removed, and for an account */
  readonly last4: string | null;
  /** the masked name of a PayPal account that is charged instead of a card */
  readonly account?: string | undefined;
}

type Row = readonly [label: string, value: string];

export function facts(i18n: I18n, language: Language, { planName, price, last4, account }: RenewalFacts): Row[] {
  const card: Row[] = last4 === null ? [] : [[i18n._({ id: 'mail.renewal.card', message: 'Card' }), `•••• ${last4}`]];
  const paypal: Row[] = account === undefined ? [] : [['PayPal', account]];
  return [
    [i18n._({ id: 'mail.order.plan', message: 'Plan' }), planName],
    [i18n._({ id: 'mail.renewal.price', message: 'Price' }), formatMoney(price, language)],
    ...card,
    ...paypal,
  ];
}

export const dayRow = (brand: Brand, language: Language, label: string, at: number): Row => [
  label,
  formatDay(brand, language, at),
];

export const accountUrl = ({ origin }: Brand) => `${origin}/account`;

/** Announces a charge. `url` shows the renewal to any reader without signing in, and can turn it off. */
export function renewalNoticeMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly chargeAt: number; readonly url: string },
): MailText {
  const i18n = i18nIn(language, brand);
  const date = formatDay(brand, language, renewal.chargeAt);
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.renewalNotice.subject', message: 'Your plan renews on {date}', values: { date } }),
    paragraphs: [
      renewal.account === undefined
        ? i18n._({
            id: 'mail.renewalNotice.intro',
            message: 'We’ll charge your card on {date}, and your plan continues. There’s nothing to do.',
            values: { date },
          })
        : i18n._({
            id: 'mail.renewalNotice.paypal',
            message: 'We’ll charge your PayPal account on {date}, and your plan continues. There’s nothing to do.',
            values: { date },
          }),
    ],
    rows: facts(i18n, language, renewal),
    button: {
      label: i18n._({ id: 'mail.renewalNotice.button', message: 'View or stop renewal' }),
      url: renewal.url,
    },
    notes: [
      i18n._({
        id: 'mail.renewalNotice.free',
        message: 'Stopping is free, and you keep what you’ve paid for.',
      }),
    ],
  });
}

/** A charge that the bank refused. `retryAt` is null after the last attempt. */
export interface Refused extends RenewalFacts {
  readonly retryAt: number | null;
  /** the number of the next retry, and the total */
  readonly retry: number;
  readonly retries: number;
  /** null where access ends with the paid period ([Note: Grace]) */
  readonly graceUntil: number | null;
  readonly paidUntil: number;
}

/** Reports a refused charge, when it is retried, and until when access continues. */
export function renewalRefusedMail(brand: Brand, language: Language, refused: Refused): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    ...refusalTexts(i18n, refused, afterRefusal(brand, language, refused)),
    rows: facts(i18n, language, refused),
    button: refused.account === undefined ? otherCardButton(i18n, brand) : otherWayButton(i18n, brand),
  });
}

const otherCardButton = (i18n: I18n, brand: Brand) => ({
  label: i18n._({ id: 'mail.renewalRefused.button', message: 'Use another card' }),
  url: accountUrl(brand),
});

const otherWayButton = (i18n: I18n, brand: Brand) => ({
  label: i18n._({ id: 'mail.renewalRefused.paypalButton', message: 'Change payment method' }),
  url: accountUrl(brand),
});

function refusalTexts(i18n: I18n, { account }: RenewalFacts, after: string) {
  if (account !== undefined)
    return {
      subject: i18n._({ id: 'mail.renewalRefused.paypalSubject', message: 'PayPal declined your payment' }),
      paragraphs: [
        i18n._({
          id: 'mail.renewalRefused.paypal',
          message: 'We couldn’t renew your plan because PayPal declined the payment. Nothing was charged.',
        }),
        after,
      ],
    };
  return {
    subject: i18n._({ id: 'mail.renewalRefused.subject', message: 'Your card was declined' }),
    paragraphs: [
      i18n._({
        id: 'mail.renewalRefused.intro',
        message: 'We couldn’t renew your plan because your card was declined. Nothing was charged.',
      }),
      after,
    ],
  };
}

/** Whether the card is charged again, and how long access lasts. */
function afterRefusal(brand: Brand, language: Language, refused: Refused): string {
  const i18n = i18nIn(language, brand);
  const { retryAt, retry, retries, graceUntil, paidUntil } = refused;
  const until = formatDay(brand, language, graceUntil ?? paidUntil);
  if (retryAt === null) {
    return graceUntil === null
      ? i18n._({
          id: 'mail.renewalRefused.lastWithoutGrace',
          message:
            'That was the last try, so your plan will no longer renew. What you’ve paid for lasts until {until}.',
          values: { until },
        })
      : refused.account === undefined
        ? i18n._({
            id: 'mail.renewalRefused.last',
            message: 'That was the last try. Without another card, your access ends on {until}.',
            values: { until },
          })
        : i18n._({
            id: 'mail.renewalRefused.paypalLast',
            message: 'That was the last try. Without another payment method, your access ends on {until}.',
            values: { until },
          });
  }
  const values = { date: formatDay(brand, language, retryAt), retry, retries, until };
  return graceUntil === null
    ? i18n._({
        id: 'mail.renewalRefused.againWithoutGrace',
        message:
          'We’ll try again on {date} ({retry} of {retries}). What you’ve paid for lasts until {until}; your access continues once the plan is paid.',
        values,
      })
    : i18n._({
        id: 'mail.renewalRefused.again',
        message: 'We’ll try again on {date} ({retry} of {retries}). You keep access until {until}.',
        values,
      });
}

/** The bank requires the cardholder's confirmation. The link names the order and contains no token. */
export function renewalConfirmMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly orderId: string; readonly payUntil: number },
): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.renewalConfirm.subject', message: 'Please confirm your renewal' }),
    paragraphs: [
      renewal.account === undefined
        ? i18n._({
            id: 'mail.renewalConfirm.intro',
            message:
              'Your bank needs your confirmation before it pays for your plan. Please make this payment yourself, just once.',
          })
        : i18n._({
            id: 'mail.renewalConfirm.paypal',
            message:
              'PayPal needs your confirmation before it pays for your plan. Please make this payment yourself, just once.',
          }),
    ],
    rows: [
      ...facts(i18n, language, renewal),
      dayRow(brand, language, i18n._({ id: 'mail.renewalConfirm.until', message: 'Please pay by' }), renewal.payUntil),
    ],
    button: {
      label: i18n._({ id: 'mail.renewalConfirm.button', message: 'Confirm and pay' }),
      url: `${brand.origin}/payment?orderId=${renewal.orderId}`,
    },
  });
}

/** The card expires, or was removed, before the next charge. */
export function renewalCardMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly chargeAt: number; readonly isLeft: boolean },
): MailText {
  const i18n = i18nIn(language, brand);
  const values = { date: formatDay(brand, language, renewal.chargeAt) };
  return renderMail(brand, language, {
    subject: renewal.isLeft
      ? i18n._({ id: 'mail.renewalCardLeft.subject', message: 'Please choose another card for your plan' })
      : i18n._({ id: 'mail.renewalCard.subject', message: 'Your card expires before your plan renews' }),
    paragraphs: [
      renewal.isLeft
        ? i18n._({
            id: 'mail.renewalCardLeft.intro',
            message:
              'Your plan renews on {date}, and we can no longer charge your card because we now use another payment provider. Please enter your card again or choose another one.',
            values,
          })
        : i18n._({
            id: 'mail.renewalCard.intro',
            message: 'Your plan renews on {date}, and your card will have expired by then. Please choose another card.',
            values,
          }),
    ],
    rows: facts(i18n, language, renewal),
    button: otherCardButton(i18n, brand),
  });
}
