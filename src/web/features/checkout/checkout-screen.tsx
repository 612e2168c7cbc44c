import type { UserInfo } from '../../../contract/user.ts';
import type { PaymentMethod } from '../../../contract/billing.ts';
import type { Order } from '../../../contract/order.ts';
import type { PlanDetail } from '../../../contract/plan.ts';
import { ApiError } from '../../api/api-error.ts';
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
  const found = isUnsupported(methods.error) ? [] : methods.data;
  if (!found) {
    return methods.error ? (
      <LoadFailed error={methods.error} onRetry={() => void methods.refetch()} />
    ) : (
      <CheckoutSkeleton />
    );
  }
  const method = chosenMethod(found, choices.chosen.methodCode);
  if (!method) return <NoMethod currencies={currencies} currency={currency} choices={choices} />;
  return <CheckoutForm {...props} choices={choices} currency={currency} methods={found} method={method} />;
}

/** -2408: the shop knows the currency, but takes no money in it. */
function isUnsupported(error: Error | null): boolean {
  return error instanceof ApiError && error.code === -2408;
}

function chosenMethod(methods: readonly PaymentMethod[], code: string | undefined): PaymentMethod | undefined {
  return methods.find((method) => method.code === code) ?? methods[0];
}
