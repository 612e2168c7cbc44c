import type { UserInfo } from '#contract/user.ts';
import type { CaptchaAccount } from '#web/domain/auth/captcha/captcha-answer.ts';
import { useDeferredCaptcha } from '#web/domain/auth/captcha/use-deferred-captcha.ts';
import type { DeferredCaptcha } from '#web/domain/auth/captcha/use-deferred-captcha.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { usePay } from './act/pay-session.ts';
import type { PayNotice, PayState } from './act/pay-machine.ts';
import { refusalOfPayment, refusalOfPrice } from './act/place-refusal.ts';
import type { Refusal } from './act/place-refusal.ts';
import { useCards } from './cards/use-cards.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { useCoupon } from './coupon/use-coupon.ts';
import { requiredGroups } from '#web/domain/payments/payer/payer-form.ts';
import type { PayerForm } from '#web/domain/payments/payer/payer-form.ts';
import { mobileOwner, rememberPayer } from '#web/domain/payments/payer/payer-memory.ts';
import { usePayer } from './use-payer.ts';
import { useState, useEffect } from 'react';
import type { Money } from '#contract/money.ts';
import { usePurchase } from './price/use-purchase.ts';
import type { Purchase } from './price/use-purchase.ts';
import type { Choices } from './use-choices.ts';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { CheckoutStep } from './steps.tsx';

/** The state of a checkout: the purchase, the coupon, the cards, the payer's form, and the progress of the payment. */
export function useCheckout(props: CheckoutSettings) {
  const { user, plan, tip, repay, orderId, replaceAttempt, choices, currency, methods, method, carried } = props;
  const { defaultInstallment, renewal } = useBrand().siteConfig.payment;
  const offered = { planId: plan.id, currency, methods, method, orderId };
  const renewsFirst = renewal === 'preselected';
  const goesOn = repay?.renewal === true;
  const purchase = usePurchase({ ...offered, defaultInstallment, choices, renewsFirst, goesOn });
  const { session, state } = usePay({
    uid: user.uid,
    planId: plan.id,
    orderId: repay?.orderId,
    replaceAttempt,
    tip: repay ? { ...tip, unfinished: null } : tip,
  });
  const cards = useCards(method);
  const captcha = useDeferredCaptcha();
  const asked = requiredGroups(method.fields, cards.use);
  const [mobileOf, codeDigits] = [mobileOwner(method), cards.use.saved?.codeDigits];
  const refusal = refusalOfPayment(state, asked);
  const priceRefusal = refusalOfPrice(purchase.priceError);
  const coupon = useCoupon(purchase, choices, [refusal, priceRefusal].find(isOfCoupon));
  const shown = useShownPrices(purchase, choices);
  const pay = async (form: PayerForm): Promise<Refusal<PayNotice> | undefined> => {
    const { input, installments } = purchase;
    if (!shown.total || cards.loading) return refusal;
    if (captcha.missing(captchaFor(user))) return undefined;
    rememberPayer(user.uid, form, mobileOf);
    const seen = { shown: shown.total, renews: shown.renewal };
    const typed = { form, cardUse: cards.use, takeTicket: captcha.answer };
    const ended = await session.tap({ input, method, installments, ...typed, ...seen });
    if (ended.phase === 'priceChanged') shown.tell(ended);
    const found = refusalOfPayment(ended, asked);
    if (found?.place.at === 'captcha') await requireCaptcha(captcha, user, found);
    if (found?.place.at === 'savedCard' && found.code !== undefined) cards.refused(found.code);
    return found;
  };
  const payer = usePayer({ uid: user.uid, asked, currency, codeDigits, mobileOf, carried, pay });
  useOrderInAddress(refusal?.source.kind === 'declined' ? refusal.source.orderId : undefined);
  return { purchase, session, state, refusal, priceRefusal, coupon, cards, payer, captcha };
}

/**
 * Captcha tickets are for the session's account; a phone number needs its plus, because the brand's own country code
 * must not be added.
 */
const captchaFor = ({ account, type }: UserInfo): CaptchaAccount => ({
  account: type === 'phone' ? `+${account}` : account,
  type,
});

/** After several declines the shop requires a captcha; the same payment is then repeated with the same key. */
async function requireCaptcha(captcha: DeferredCaptcha, user: UserInfo, { source }: Refusal<PayNotice>): Promise<void> {
  const way = source.kind === 'refused' ? source.way : undefined;
  await captcha.ask(captchaFor(user), { params: way ? { way } : {} });
}

/** The price and renewal price that the customer has seen for the current choice. */
function useShownPrices({ input, charged, outdated, renewal }: Purchase, { chosen }: Choices) {
  const choice = JSON.stringify([input, chosen.installments]);
  const total = useFirstShownPrice(choice, outdated ? undefined : charged);
  const later = useFirstShownPrice(choice, outdated ? undefined : renewal.offer?.price);
  const { offer } = renewal;
  return {
    // the price of the previous choice, until the new one is known
    total: total.price ?? charged,
    renewal: { ...renewal, offer: offer && { ...offer, price: later.price ?? offer.price } },
    tell: (changed: Extract<PayState, { phase: 'priceChanged' }>) => {
      if (changed.ofRenewal) return later.tell(changed.total);
      total.tell(changed.total);
      if (changed.renewal) later.tell(changed.renewal);
    },
  };
}

const isOfCoupon = (refusal: Refusal<unknown> | undefined) => refusal?.place.at === 'discountCode';

/**
 * The price that was shown first for a choice of the customer. A refetch on focus or reconnect may change the price
 * without the customer having noticed or agreed, so the next tap compares with this one. `tell` sets the price that a
 * notice has shown to the customer.
 *
 * @param choice what the price is of, as one text; another choice starts again
 * @param price undefined while the price of this choice is unknown
 */
function useFirstShownPrice(choice: string, price: Money | undefined) {
  const [first, setFirst] = useState<{ choice: string; price: Money }>();
  const known = first?.choice === choice ? first.price : undefined;
  if (!known && price) setFirst({ choice, price });
  return { price: known ?? price, tell: (told: Money) => setFirst({ choice, price: told }) };
}

/** Navigates to a step by a history entry, so that Back leads to the previous step. */
export function useStep(current: CheckoutStep): (step: CheckoutStep) => void {
  const navigate = useNavigate();
  return (step) => {
    if (step !== current) void navigate({ to: '/payment', search: (search) => ({ ...search, step }) });
  };
}

/**
 * Leaves the hand-over to a phone: returns to where it was started, or to the first step if this page was opened at it.
 */
export function useCancelPhoneHandover(): () => void {
  const router = useRouter();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: '/payment', search: (search) => ({ ...search, step: 'method' }), replace: true });
  };
}

/** A declined order is repaid and not replaced, even after a reload: its ID is in the URL. */
function useOrderInAddress(orderId: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (orderId === undefined) return;
    void navigate({ to: '/payment', search: (search) => ({ ...search, orderId }), replace: true, resetScroll: false });
  }, [navigate, orderId]);
}
