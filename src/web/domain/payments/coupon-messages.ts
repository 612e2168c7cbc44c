import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import * as v from 'valibot';
import { couponTermsSchema, type OwnCoupon, discountCodeSchema } from '#contract/coupons.ts';
import { normalizeToken } from '#contract/normalize-text.ts';
import { formatMoney } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** The reduction of a coupon, as it is displayed. */
export function couponOff(i18n: I18n, { percent, amount }: Pick<OwnCoupon, 'percent' | 'amount'>): string {
  const off = amount ? formatMoney(amount, i18n.locale) : formatPercent(percent ?? 0, i18n.locale);
  return i18n._(msg`${off} off`);
}

/** Whether the coupon applies to this plan now. */
export function couponFits({ state, plans, amount }: OwnCoupon, planId: string, currency: string): boolean {
  const isForPlan = plans.length === 0 || plans.some((plan) => plan.planId === planId);
  return state === 'usable' && isForPlan && (amount === null || amount.currency === currency);
}

/** The problem of a code that cannot exist, found before the server is called; undefined for a possible code. */
export function couponProblem(code: string): LocalizedMessage | undefined {
  if (normalizeToken(code) === '') return empty;
  return v.is(discountCodeSchema, code) ? undefined : noCoupon;
}

const empty = localizedMessage(msg`Enter coupon code to continue`);
const noCoupon = localizedMessage(
  msg`Coupon codes have 2 to 32 characters: letters A to Z, digits and hyphens. Check the spelling.`,
);

/** After too many unknown codes: when the next one may be tried. */
export const couponWaitMessage =
  (seconds: number): LocalizedMessage =>
  (i18n) =>
    i18n._(
      msg`Too many invalid codes. ${plural(Math.ceil(seconds / 60), { one: 'You can try again in # minute.', other: 'You can try again in # minutes.' })}`,
    );

/** What the coupon is valid for, if it was refused for something else. */
export function couponTermsMessage(told: unknown): LocalizedMessage | undefined {
  const terms = v.safeParse(couponTermsSchema, told);
  if (!terms.success) return undefined;
  const onlyFor = terms.output;
  if (onlyFor === 'firstPurchase') return localizedMessage(msg`This coupon is for first purchases only`);
  return (i18n) => {
    if ('currency' in onlyFor) return i18n._(msg`This coupon is for payments in ${onlyFor.currency} only`);
    if ('plans' in onlyFor) {
      const names = onlyFor.plans.join(', ');
      return i18n._(msg`This coupon is only for: ${names}`);
    }
    const day = (instant: number) => dayText(i18n, instant);
    if ('from' in onlyFor) return i18n._(msg`You can use this coupon from ${day(onlyFor.from)}`);
    return i18n._(msg`This coupon expired on ${day(onlyFor.before - 1)}`);
  };
}
