import type { UserInfo } from '../../../contract/auth.ts';
import type { PaymentMethod } from '../../../contract/billing.ts';
import type { Order } from '../../../contract/order.ts';
import type { PlanDetail } from '../../../contract/plan.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { CheckoutForm } from './checkout-form.tsx';
import { CheckoutSkeleton } from './checkout-skeleton.tsx';
import { NoMethod } from './no-method.tsx';
import type { Tip } from './pay-machine.ts';
import type { CheckoutStep } from './steps.tsx';
import { useChoices } from './use-choices.ts';
import { useMethods } from './use-purchase.ts';

export interface CheckoutScreenProps {
  user: UserInfo;
  plan: PlanDetail;
  tip: Tip;
  repay: Order | undefined;
  currencies: readonly string[];
  /** what the address wishes for */
  currency: string | undefined;
  step: CheckoutStep;
}

/** Settles currency and method, which everything else depends on. */
export function CheckoutScreen(props: CheckoutScreenProps) {
  const { plan, repay, currencies, currency: wish } = props;
  const { siteConfig } = useBrand();
  const before = repay
    ? { methodCode: repay.methodCode, installments: repay.installments, currency: repay.total.currency }
    : {};
  const wished = wish !== undefined && currencies.includes(wish) ? { currency: wish } : {};
  const choices = useChoices(plan.id, before, wished);
  const chosen = choices.chosen.currency;
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : siteConfig.payment.defaultCurrency;
  const methods = useMethods(plan.id, currency);
  if (methods.error && !methods.data) {
    return <LoadFailed error={methods.error} onRetry={() => void methods.refetch()} />;
  }
  if (!methods.data) return <CheckoutSkeleton />;
  const method = chosenMethod(methods.data, choices.chosen.methodCode);
  if (!method) return <NoMethod />;
  return <CheckoutForm {...props} choices={choices} currency={currency} methods={methods.data} method={method} />;
}

function chosenMethod(methods: readonly PaymentMethod[], code: string | undefined): PaymentMethod | undefined {
  return methods.find((method) => method.code === code) ?? methods[0];
}
