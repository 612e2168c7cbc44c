import { useEffect, useState } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import type { Order } from '#contract/order.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { checkoutDraft, couponToUse, type CheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { CheckoutForm } from './checkout-form.tsx';
import { useDeviceMethods } from './method/device-methods.ts';
import { lastMethodKey } from './method/last-method.ts';
import { CheckoutSkeleton, type CheckoutStep } from './steps.tsx';
import { cardToUse, savedCardsOf, useSavedCards } from './cards/use-cards.ts';
import type { CheckoutScreenProps, CheckoutSettings } from './checkout-settings.ts';
import { useChoices, type Choices } from './use-choices.ts';
import { currencyKey } from '#web/platform/session/storage/keys.ts';
import { useMethods } from './price/use-purchase.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { CurrencySelect } from './price/currency-select.tsx';

/** Determines currency and method, on which everything else depends. */
export function CheckoutScreen(props: CheckoutScreenProps) {
  const { plan, repay, currencies, currency: wish } = props;
  const { siteConfig } = useBrand();
  const [lastMethod] = useState(lastMethodKey.get);
  const before = repay ? termsOf(repay) : {};
  const wished = wish !== undefined && currencies.includes(wish) ? { currency: wish } : {};
  const coupon = useCouponToUse(plan.id, repay);
  const choices = useChoices(plan.id, before, { ...wished, ...coupon });
  const chosen = choices.chosen.currency;
  const currency = payableIn([chosen, currencyKey.get(), siteConfig.payment.defaultCurrency], currencies);
  const { discountCode } = choices.chosen;
  const methods = useMethods({ planId: plan.id, currency, discountCode, orderId: repay?.orderId });
  const cards = useSavedCards({ enabled: lastMethod !== undefined });
  const found = useDeviceMethods(isUnsupported(methods.error) ? [] : methods.data);
  if (!found) {
    return methods.error ? (
      <LoadFailed error={methods.error} onRetry={() => void methods.refetch()} />
    ) : (
      <CheckoutSkeleton step={props.step} />
    );
  }
  const method = chosenMethod(found, choices.chosen.methodCode ?? lastMethod);
  if (!method) return <NoMethod currencies={currencies} currency={currency} choices={choices} />;
  if (props.step === undefined && cards.isLoading) return <CheckoutSkeleton />;
  const repeats = method.code === lastMethod && cardToUse(savedCardsOf(cards.data ?? [], method.code), undefined);
  const first = repeats && !repay ? 'details' : 'method';
  return (
    <FormWithFirstStep {...props} first={first} choices={choices} currency={currency} methods={found} method={method} />
  );
}

/** The coupon that the customer came to use; this checkout stores it from now on. An existing order has its own. */
function useCouponToUse(planId: string, repay: Order | undefined): CheckoutDraft {
  const [coupon] = useState(() => {
    const wish = repay ? undefined : couponToUse.get();
    return wish && (wish.planIds.length === 0 || wish.planIds.includes(planId)) ? wish.code : undefined;
  });
  useEffect(() => {
    if (coupon === undefined) return;
    const store = checkoutDraft(planId);
    store.set({ ...store.get(), discountCode: coupon });
    couponToUse.remove();
  }, [coupon, planId]);
  return coupon === undefined ? {} : { discountCode: coupon };
}

/** The terms of the order; its coupon is bound to it. */
function termsOf({ methodCode, installments, total, discountCode }: Order): CheckoutDraft {
  return { methodCode, installments, currency: total.currency, ...(discountCode !== null && { discountCode }) };
}

/**
 * The first requested currency that can be paid in, else any payable one; if there is none, the last requested one, so
 * that the page can say so.
 */
function payableIn(wishes: readonly (string | undefined)[], currencies: readonly string[]): string {
  const wish = wishes.find((code) => code !== undefined && currencies.includes(code));
  return wish ?? currencies[0] ?? wishes.at(-1) ?? '';
}

type BegunFormProps = Omit<CheckoutSettings, 'step'> & { step: CheckoutStep | undefined; first: CheckoutStep };

/**
 * Fixes the first step: a customer with a saved card starts at its security code. Choosing another card later does not
 * change the first step.
 */
function FormWithFirstStep({ step, first, ...settings }: BegunFormProps) {
  const [begun] = useState(first);
  return <CheckoutForm {...settings} step={step ?? begun} />;
}

/** The shop knows the currency, but accepts no payments in it. */
function isUnsupported(error: Error | null): boolean {
  return isRefused(error, 'currencyUnsupported');
}

function chosenMethod(methods: readonly PaymentMethod[], code: string | undefined): PaymentMethod | undefined {
  return methods.find((method) => method.code === code) ?? methods[0];
}

interface NoMethodProps {
  currencies: readonly string[];
  currency: string;
  choices: Choices;
}

/**
 * There is no method for this plan in this currency at the moment: another currency or plan may help. With a coupon the
 * total may be smaller than any provider charges.
 */
function NoMethod(props: NoMethodProps) {
  const { t } = useLingui();
  const { chosen, choose } = props.choices;
  if (chosen.discountCode !== undefined) return <TotalTooSmall onRemove={() => choose({ discountCode: undefined })} />;
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>There’s no way to pay for this plan right now</Trans>}
      action={
        <>
          <Link to="/pricing-table" className={buttonClass()}>
            <Trans>See plans</Trans>
          </Link>
          <Link to="/help" className={buttonClass({ variant: 'secondary' })}>
            <Trans>Get help</Trans>
          </Link>
        </>
      }
    >
      {props.currencies.length > 1 ? (
        <CurrencySelect {...props} hint={t`You can’t pay in this currency. Choose another one.`} />
      ) : (
        <p>
          <Trans>Nothing was ordered or charged. Please come back later, or see Help to contact us.</Trans>
        </p>
      )}
    </StatePage>
  );
}

function TotalTooSmall({ onRemove }: { onRemove: () => void }) {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>With this coupon, the total is too small to charge</Trans>}
      action={
        <Button onClick={onRemove}>
          <Trans>Remove coupon</Trans>
        </Button>
      }
    >
      <p>
        <Trans>Nothing was ordered or charged. You can pay the regular price without the coupon.</Trans>
      </p>
    </StatePage>
  );
}
