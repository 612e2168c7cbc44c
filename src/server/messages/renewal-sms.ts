import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import type { Refused } from './renewal-mails.ts';
import type { TurnOffCause } from '#server/db/schema/subscriptions.ts';

/**
 * The renewal notices for a customer with a number and no email address: the content of the mails
 * (messages/renewal-mails.ts) in a sentence with one link. The phone may show it on a locked screen, so it names
 * neither plan nor card.
 */
export type RenewalSms =
  | {
      readonly kind: 'notice';
      readonly isPaypal?: boolean;
      readonly price: Money;
      readonly chargeAt: number;
      readonly url: string;
    }
  | ({ readonly kind: 'refused'; readonly isPaypal?: boolean } & Pick<Refused, 'retryAt'> & {
        readonly accessUntil: number;
      })
  | { readonly kind: 'confirm'; readonly orderId: string; readonly payUntil: number }
  | { readonly kind: 'asks'; readonly newPrice: Money; readonly endsAt: number }
  | { readonly kind: 'card'; readonly chargeAt: number; readonly isLeft: boolean }
  | { readonly kind: 'ended'; readonly planId: string }
  | { readonly kind: 'off'; readonly endsAt: number; readonly by: Exclude<TurnOffCause, 'customer'> };

/** The text of an SMS about a renewal, with its link at the end. */
export function renewalSms(brand: Brand, language: Language, sms: RenewalSms): string {
  return `${brand.name}: ${wordsOf(brand, language, sms)} ${linkOf(brand.origin, language, sms)}`;
}

function linkOf(origin: string, language: Language, sms: RenewalSms): string {
  switch (sms.kind) {
    case 'notice':
      return sms.url;
    case 'confirm':
      return `${origin}/payment?orderId=${sms.orderId}&la=${language}`;
    case 'ended':
      return `${origin}/plan-details/${sms.planId}?la=${language}`;
    default:
      return `${origin}/account?la=${language}`;
  }
}

function wordsOf(brand: Brand, language: Language, sms: RenewalSms): string {
  const i18n = i18nIn(language, brand);
  const day = (at: number) => formatDay(brand, language, at);
  switch (sms.kind) {
    case 'notice': {
      const values = { date: day(sms.chargeAt), price: plainMoney(sms.price, language) };
      if (sms.isPaypal)
        return i18n._({
          id: 'sms.renewal.noticePaypal',
          message: 'your plan renews on {date} for {price}, with PayPal. View or stop:',
          values,
        });
      return i18n._({
        id: 'sms.renewal.notice',
        message: 'your plan renews on {date} for {price}, with your card. View or stop:',
        values,
      });
    }
    case 'refused':
      return refused(brand, language, sms);
    case 'confirm': {
      return i18n._({
        id: 'sms.renewal.confirm',
        message: 'your bank needs you to confirm the renewal. Please pay by {date}:',
        values: { date: day(sms.payUntil) },
      });
    }
    case 'asks': {
      const values = { date: day(sms.endsAt), price: plainMoney(sms.newPrice, language) };
      return i18n._({
        id: 'sms.renewal.asks',
        message: 'your plan now costs {price}. Unless you accept, it ends on {date} and nothing is charged:',
        values,
      });
    }
    default:
      return endingWordsOf(brand, language, sms);
  }
}

/** For a renewal that has ended, or will end. */
function endingWordsOf(
  brand: Brand,
  language: Language,
  sms: Extract<RenewalSms, { readonly kind: 'card' | 'ended' | 'off' }>,
): string {
  const i18n = i18nIn(language, brand);
  switch (sms.kind) {
    case 'card': {
      const values = { date: formatDay(brand, language, sms.chargeAt) };
      if (sms.isLeft)
        return i18n._({
          id: 'sms.renewal.cardLeft',
          message: 'we can no longer charge your card, and your plan renews on {date}. Choose another one:',
          values,
        });
      return i18n._({
        id: 'sms.renewal.card',
        message: 'your card expires before your plan renews on {date}. Choose another one:',
        values,
      });
    }
    case 'ended':
      return i18n._({
        id: 'sms.renewal.ended',
        message: 'your plan was not renewed and has ended. You will not be charged again. To come back:',
      });
    case 'off': {
      if (sms.by === 'withdrawal')
        return i18n._({
          id: 'sms.renewal.offWithdrawal',
          message: 'you requested a refund, so your plan will no longer renew:',
        });
      return i18n._({
        id: 'sms.renewal.off',
        message: 'your plan will no longer renew. You have access until {date}:',
        values: { date: formatDay(brand, language, sms.endsAt) },
      });
    }
  }
}

function refused(
  brand: Brand,
  language: Language,
  { retryAt, accessUntil, isPaypal }: Extract<RenewalSms, { readonly kind: 'refused' }>,
): string {
  const i18n = i18nIn(language, brand);
  if (isPaypal) return refusedByPaypal(brand, language, { retryAt, accessUntil });
  if (retryAt === null) {
    return i18n._({
      id: 'sms.renewal.refusedLast',
      message: 'your card was declined for the last time. Without another card, your access ends on {date}:',
      values: { date: formatDay(brand, language, accessUntil) },
    });
  }
  return i18n._({
    id: 'sms.renewal.refused',
    message: 'your card was declined and nothing was charged. We will try again on {date}. Use another card:',
    values: { date: formatDay(brand, language, retryAt) },
  });
}

function refusedByPaypal(
  brand: Brand,
  language: Language,
  { retryAt, accessUntil }: Pick<Refused, 'retryAt'> & { readonly accessUntil: number },
): string {
  const i18n = i18nIn(language, brand);
  if (retryAt === null)
    return i18n._({
      id: 'sms.renewal.refusedLastPaypal',
      message: 'PayPal declined the payment for the last time. Without another method, your access ends on {date}:',
      values: { date: formatDay(brand, language, accessUntil) },
    });
  return i18n._({
    id: 'sms.renewal.refusedPaypal',
    message: 'PayPal declined the payment and nothing was charged. We will try again on {date}. Use another method:',
    values: { date: formatDay(brand, language, retryAt) },
  });
}

/** A no-break space is not in the GSM alphabet, and one such character halves the length that fits into an SMS. */
function plainMoney(money: Money, language: Language): string {
  return formatMoney(money, language).replaceAll(/\s/g, ' ');
}
