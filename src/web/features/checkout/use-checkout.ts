import type { UserInfo } from '#contract/user.ts';
import type { CaptchaFor } from '#web/domain/auth/captcha/given.ts';
import { useLateCaptcha, type LateCaptcha } from '#web/domain/auth/captcha/use-late-captcha.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { usePay } from './act/pay-session.ts';
import type { PayNotice, PayState } from './act/pay-machine.ts';
import { usePayer } from './use-payer.ts';
import { type Refusal, refusalOfPayment, refusalOfPrice } from './act/refusal-place.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { useCoupon } from './coupon/use-coupon.ts';
import { requiredGroups, acceptsCards, type PayerForm, type CardUse } from '#web/domain/payments/payer/payer-form.ts';
import { mobileOwner, rememberPayer } from '#web/domain/payments/payer/payer-memory.ts';
import { usePurchase, type Purchase } from './price/use-purchase.ts';
import { useOrderInAddress } from './use-address.ts';
import type { Choices } from './use-choices.ts';
import { useState } from 'react';
import type { Money } from '#contract/money.ts';
import { useQuery } from '@tanstack/react-query';
import type { PaymentMethod } from '#contract/billing.ts';
import { listCard, type SavedCard } from '#contract/cards.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useKnownPayer, type KnownPayer } from '#web/domain/payments/payer/known-payer.tsx';

/** The state of a checkout: the purchase, the coupon, the cards, the payer's form, and the progress of the payment. */
export function useCheckout(props: CheckoutSettings) {
  const { user, plan, tip, repay, orderId, replaceAttempt, choices, currency, methods, method } = props;
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
  const captcha = useLateCaptcha();
  const asked = requiredGroups(method.fields, cards.use);
  const mobileOf = mobileOwner(method);
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
  const payer = usePayer({ uid: user.uid, asked, currency, codeDigits: cards.use.saved?.codeDigits, mobileOf, pay });
  useOrderInAddress(refusal?.source.kind === 'declined' ? refusal.source.orderId : undefined);
  return { purchase, session, state, refusal, priceRefusal, coupon, cards, payer, captcha };
}

/**
 * Captcha tickets are for the session's account; a phone number needs its plus, because the brand's own country code
 * must not be added.
 */
const captchaFor = ({ account, type }: UserInfo): CaptchaFor => ({
  account: type === 'phone' ? `+${account}` : account,
  type,
});

/** After several declines the shop requires a captcha; the same payment is then repeated with the same key. */
async function requireCaptcha(captcha: LateCaptcha, user: UserInfo, { source }: Refusal<PayNotice>): Promise<void> {
  const way = source.kind === 'refused' ? source.way : undefined;
  await captcha.ask(captchaFor(user), { params: way ? { way } : {} });
}

/** The price and renewal price that the customer has seen for the current choice. */
function useShownPrices({ input, charged, outdated, renewal }: Purchase, { chosen }: Choices) {
  const choice = JSON.stringify([input, chosen.installments]);
  const total = useFirstShown(choice, outdated ? undefined : charged);
  const later = useFirstShown(choice, outdated ? undefined : renewal.offer?.price);
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
function useFirstShown(choice: string, price: Money | undefined) {
  const [first, setFirst] = useState<{ choice: string; price: Money }>();
  const known = first?.choice === choice ? first.price : undefined;
  if (!known && price) setFirst({ choice, price });
  return { price: known ?? price, tell: (told: Money) => setFirst({ choice, price: told }) };
}

export interface Cards {
  /** the cards that this method can charge, the last used first */
  readonly list: readonly SavedCard[];
  /** whether there are any is unknown yet */
  readonly loading: boolean;
  readonly use: CardUse;
  /** the stored payer data */
  readonly known: KnownPayer;
  readonly choose: (choice: string) => void;
  readonly setSave: (save: boolean) => void;
  /** why the chosen card cannot be charged: an error code of the catalogue */
  readonly problem: number | undefined;
  /** records the error and refetches the cards */
  readonly refused: (code: number) => void;
}

/** The saved cards; a phone that was handed a checkout sees none. If they cannot be loaded, a new card is typed. */
export function useSavedCards({ enabled }: { enabled: boolean }) {
  const isWanted = useSession()?.onlyPlanId === undefined && enabled;
  const { data, isLoading, refetch } = useQuery({
    ...q(listCard, { body: {} }, { quiet: true }),
    enabled: isWanted,
    // the order by last use must not select another card while a code is being typed
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // remounting the form instead of "Loading" would refetch and be replaced by "Loading" again, endlessly
    retryOnMount: false,
  });
  // a disabled query also reports `isLoading` while another component fetches it
  return { data, isLoading: isWanted && isLoading, refetch };
}

/** The saved cards of a method, and the card that the purchase is paid with. */
function useCards(method: PaymentMethod): Cards {
  const byCard = acceptsCards(method.fields);
  const { data, isLoading, refetch } = useSavedCards({ enabled: byCard });
  const known = useKnownPayer(method.fields);
  const [choice, setChoice] = useState<string>();
  const [save, setSave] = useState(false);
  const [problem, setProblem] = useState<number>();
  const list = byCard ? savedCardsOf(data ?? [], method.code) : [];
  const saved = cardToUse(list, choice);
  return {
    list,
    loading: isLoading || known.loading,
    use: { saved, save: saved === undefined && method.savesCard && save, kept: known.kept },
    known,
    choose: (chosen) => {
      setChoice(chosen);
      setProblem(undefined);
    },
    setSave,
    problem,
    refused: (code) => {
      setProblem(code);
      void refetch();
    },
  };
}

/** The value for a card that is not saved. No card ID looks like this. */
export const newCard = 'new';

/** The cards of the method, without those of a provider that the shop no longer uses. */
export function savedCardsOf(cards: readonly SavedCard[], methodCode: string): SavedCard[] {
  return cards.filter((card) => card.methodCode === methodCode && card.usable);
}

/**
 * The card to charge: the chosen one while it exists and is valid, by default the last used one; undefined for a new
 * card.
 */
export function cardToUse(cards: readonly SavedCard[], choice: string | undefined): SavedCard | undefined {
  if (choice === newCard) return undefined;
  const usable = cards.filter((card) => !card.expired);
  return usable.find((card) => card.cardId === choice) ?? usable[0];
}
