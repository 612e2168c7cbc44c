import type { Language } from '#contract/fields.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

/** A coupon that a customer received. Instants are epoch milliseconds. */
interface CouponReceived {
  readonly code: string;
  /** a percentage, or else an amount */
  readonly off: number | Money;
  /** names of the plans that it applies to; empty means all */
  readonly plans: readonly string[];
  readonly firstPurchaseOnly: boolean;
  /** when it becomes valid; null where it is valid now */
  readonly startsAt: number | null;
  /** the instant after its last day */
  readonly endsAt: number;
}

/** Tells a customer about a coupon: the discount, until when it is valid, and how to use it. */
export function couponMail(brand: Brand, language: Language, coupon: CouponReceived): MailText {
  const i18n = i18nIn(language, brand);
  const off = typeof coupon.off === 'number' ? formatPercent(coupon.off, language) : formatMoney(coupon.off, language);
  const values = { name: brand.name, off };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.coupon.subject', message: 'Your {name} coupon: {off} off', values }),
    paragraphs: [
      i18n._({
        id: 'mail.coupon.intro',
        message: 'You have a new coupon. It takes {off} off and is already in your account.',
        values,
      }),
      howToUse(brand, language, coupon.startsAt),
    ],
    rows: rowsOf(brand, language, coupon),
    button: {
      label: i18n._({ id: 'mail.coupon.button', message: 'See my coupons' }),
      url: `${brand.origin}/coupons?la=${language}`,
    },
  });
}

function howToUse(brand: Brand, language: Language, startsAt: number | null): string {
  const i18n = i18nIn(language, brand);
  if (startsAt !== null) {
    return i18n._({
      id: 'mail.coupon.upcoming',
      message: 'You can use it from {date}: choose a plan and tap the coupon at checkout.',
      values: { date: formatDay(brand, language, startsAt) },
    });
  }
  return i18n._({
    id: 'mail.coupon.use',
    message: 'To use it, choose a plan and tap the coupon at checkout. There’s nothing to enter.',
  });
}

function rowsOf(
  brand: Brand,
  language: Language,
  { code, plans, firstPurchaseOnly, startsAt, endsAt }: CouponReceived,
): (readonly [string, string])[] {
  const i18n = i18nIn(language, brand);
  const every = i18n._({ id: 'mail.coupon.everyPlan', message: 'Every plan' });
  const first = i18n._({ id: 'mail.coupon.first', message: 'Your first purchase' });
  const from = i18n._({ id: 'mail.coupon.from', message: 'From' });
  return [
    [i18n._({ id: 'mail.coupon.code', message: 'Coupon' }), code],
    [i18n._({ id: 'mail.coupon.for', message: 'For' }), plans.length === 0 ? every : plans.join(', ')],
    ...(firstPurchaseOnly ? [[i18n._({ id: 'mail.coupon.only', message: 'Only for' }), first] as const] : []),
    ...(startsAt === null ? [] : [[from, formatDay(brand, language, startsAt)] as const]),
    [i18n._({ id: 'mail.coupon.until', message: 'Until' }), formatDay(brand, language, endsAt - 1)],
  ];
}

interface Offer {
  readonly subject: string;
  /** the operator's text; an empty line separates paragraphs */
  readonly text: string;
  /** the unsubscribe link */
  readonly unsubscribeUrl: string;
}

/** An offer with a link to the plans, the reason for the mail, and an unsubscribe link. */
export function offersMail(brand: Brand, language: Language, { subject, text, unsubscribeUrl }: Offer): MailText {
  const i18n = i18nIn(language, brand);
  const { name, origin } = brand;
  return renderMail(brand, language, {
    subject,
    paragraphs: text
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    button: {
      label: i18n._({ id: 'mail.welcome.plans', message: 'See plans' }),
      url: `${origin}/pricing-table?la=${language}`,
    },
    notes: [
      i18n._({
        id: 'mail.offers.why',
        message:
          'You get this because email offers are on in your {name} account. Emails about your purchases are separate.',
        values: { name },
      }),
    ],
    leave: {
      label: i18n._({ id: 'mail.offers.leave', message: 'Unsubscribe from offers' }),
      url: `${unsubscribeUrl}&language=${language}`,
    },
  });
}
