import type { I18n } from '@lingui/core';
import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import type { TurnOffCause } from '#server/db/schema/subscriptions.ts';
import { renderMail, type MailText } from './mail-html.ts';
import { accountUrl, dayRow, facts, type RenewalFacts } from './renewal-mails.ts';

/** What the customer chose about an active renewal: to turn it on, another card, or a new price. */
export type RenewalChoice = 'on' | 'card' | 'price';

/** Confirms a customer's choice: price, date, card, and how to cancel. */
export function renewalChosenMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly chargeAt: number; readonly chose: RenewalChoice },
): MailText {
  const i18n = i18nIn(language, brand);
  const subjects: Record<RenewalChoice, string> = {
    on: i18n._({ id: 'mail.renewalOn.subject', message: 'Automatic renewal is on' }),
    card:
      renewal.account === undefined
        ? i18n._({ id: 'mail.renewalOn.card', message: 'Your plan now renews with another card' })
        : i18n._({ id: 'mail.renewalOn.paypal', message: 'Your plan now renews with PayPal' }),
    price: i18n._({ id: 'mail.renewalOn.price', message: 'Your plan renews at the new price' }),
  };
  return renderMail(brand, language, {
    subject: subjects[renewal.chose],
    paragraphs: [renewalTerms(brand, language, renewal)],
    rows: [
      ...facts(i18n, language, renewal),
      dayRow(brand, language, i18n._({ id: 'mail.renewalOn.next', message: 'Next payment' }), renewal.chargeAt),
    ],
    button: {
      label: i18n._({ id: 'mail.renewalNotice.button', message: 'View or stop renewal' }),
      url: accountUrl(brand),
    },
  });
}

/** When, how much, and how to cancel, in one paragraph; also on the receipt of a payment that turns a renewal on. */
export function renewalTerms(
  brand: Brand,
  language: Language,
  { price, chargeAt }: { readonly price: Money; readonly chargeAt: number },
): string {
  const i18n = i18nIn(language, brand);
  return i18n._({
    id: 'mail.renewalOn.terms',
    message:
      'Your plan renews automatically: we’ll charge {price} on {date} and email you before each payment. To stop, open your account and turn off automatic renewal. It’s free, and you keep what you’ve paid for.',
    values: { price: formatMoney(price, language), date: formatDay(brand, language, chargeAt) },
  });
}

/** Confirms that nothing will be charged, and says until when paid access continues. */
export function renewalOffMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly endsAt: number; readonly by: Exclude<TurnOffCause, 'withdrawal'> },
): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.renewalOff.subject', message: 'Your plan will no longer renew' }),
    paragraphs: [
      whyOff(i18n, renewal.by),
      i18n._({ id: 'mail.renewalOff.nothing', message: 'You won’t be charged again.' }),
    ],
    rows: [
      ...facts(i18n, language, renewal),
      dayRow(
        brand,
        language,
        i18n._({ id: 'mail.renewalOff.until', message: 'You have access until' }),
        renewal.endsAt,
      ),
    ],
    button: { label: i18n._({ id: 'mail.renewalOff.button', message: 'Open your account' }), url: accountUrl(brand) },
  });
}

function whyOff(i18n: I18n, by: Exclude<TurnOffCause, 'withdrawal'>): string {
  const why: Record<typeof by, string> = {
    customer: i18n._({ id: 'mail.renewalOff.customer', message: 'As you asked, your plan will no longer renew.' }),
    support: i18n._({
      id: 'mail.renewalOff.support',
      message: 'Our support team turned off automatic renewal for your plan.',
    }),
    reversal: i18n._({
      id: 'mail.renewalOff.reversal',
      message: 'A payment for your plan was refunded, so it will no longer renew.',
    }),
    dispute: i18n._({
      id: 'mail.renewalOff.dispute',
      message: 'A payment for your plan was disputed, so it will no longer renew.',
    }),
    shop: i18n._({
      id: 'mail.renewalOff.shop',
      message: 'Your plan is no longer offered this way, so it won’t renew.',
    }),
    provider: i18n._({
      id: 'mail.renewalOff.paypal',
      message: 'Automatic payments to us were stopped at PayPal, so your plan will no longer renew.',
    }),
  };
  return why[by];
}

/** The plan has a new price. Nothing is charged before the customer accepts it in the account. */
export function renewalPriceMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly newPrice: Money; readonly endsAt: number },
): MailText {
  const i18n = i18nIn(language, brand);
  const until = formatDay(brand, language, renewal.endsAt);
  return renderMail(brand, language, {
    subject: i18n._({
      id: 'mail.renewalPrice.subject',
      message: 'Your plan has a new price. Do you want to continue?',
    }),
    paragraphs: [
      i18n._({
        id: 'mail.renewalPrice.intro',
        message:
          'The price of your plan has changed. We’ll only charge it if you accept. Otherwise your plan ends on {until} and nothing is charged.',
        values: { until },
      }),
    ],
    rows: [
      ...facts(i18n, language, renewal),
      [i18n._({ id: 'mail.renewalPrice.new', message: 'New price' }), formatMoney(renewal.newPrice, language)],
    ],
    button: {
      label: i18n._({ id: 'mail.renewalPrice.button', message: 'Answer in your account' }),
      url: accountUrl(brand),
    },
  });
}

/** Nothing was paid in time, so the plan has ended. */
export function renewalEndedMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly planId: string },
): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.renewalEnded.subject', message: 'Your plan has ended' }),
    paragraphs: [
      i18n._({
        id: 'mail.renewalEnded.intro',
        message:
          'Your plan wasn’t renewed and has ended. You won’t be charged again. We’ve kept your account: choose a plan and you’re back right away.',
      }),
    ],
    rows: facts(i18n, language, renewal),
    button: {
      label: i18n._({ id: 'mail.renewalEnded.button', message: 'Choose a plan' }),
      url: `${brand.origin}/plan-details/${renewal.planId}`,
    },
  });
}

/** Reports days that support gave the customer. */
export function daysGivenMail(
  brand: Brand,
  language: Language,
  { days, endsAt }: { readonly days: number; readonly endsAt: number },
): MailText {
  const i18n = i18nIn(language, brand);
  const until = i18n._({ id: 'mail.renewalOff.until', message: 'You have access until' });
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.daysGiven.subject', message: 'We’ve added days to your plan' }),
    paragraphs: [
      i18n._({
        id: 'mail.daysGiven.intro',
        message:
          '{days, plural, one {Our support team added # day to your plan, free of charge.} other {Our support team added # days to your plan, free of charge.}}',
        values: { days },
      }),
    ],
    rows: [dayRow(brand, language, until, endsAt)],
    button: { label: i18n._({ id: 'mail.renewalOff.button', message: 'Open your account' }), url: accountUrl(brand) },
  });
}
