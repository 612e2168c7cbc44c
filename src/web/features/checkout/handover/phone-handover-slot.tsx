import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { Elements } from '#web/ui/elements.ts';
import type { HandoverPurchase } from '#contract/handover.ts';
import type { Order } from '#contract/order.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { Ring } from '#web/ui/spinner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Smartphone } from '#web/ui/icon.tsx';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { getSession } from '#web/platform/session/session.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { useCancelPhoneHandover } from '../use-checkout.ts';
import type { CheckoutSettings } from '../checkout-settings.ts';
import type { PhoneHandoverProps } from './phone-handover.tsx';
import styles from './on-my-phone.module.css';

const loadHandover = async () => (await import('./phone-handover.tsx')).PhoneHandover;

/** Loaded on demand, because only a TV needs it. */
export function PhoneHandoverSlot(props: PhoneHandoverProps) {
  const [PhoneHandover, want] = useLazyModule(loadHandover);
  useEffect(() => void want(), [want]);
  return PhoneHandover ? <PhoneHandover {...props} /> : <Ring />;
}

/** On a TV only: typing is easier on a phone, whatever the method. */
export function ContinueOnPhoneButton({ onPress }: { onPress: () => void }) {
  return (
    <Button size="lg" wide data-first className={styles.onMyPhone} onClick={onPress}>
      <Smartphone aria-hidden />
      <Trans>Pay on my phone</Trans>
    </Button>
  );
}

/** Replaces the form if the customer of a TV wants to pay on a phone. */
export function useHandoverStep(checkout: CheckoutSettings): Elements {
  const leave = useCancelPhoneHandover();
  if (checkout.step !== 'phone') return null;
  return <PhoneHandoverSlot makePurchase={() => handedPurchase(checkout)} onBack={leave} />;
}

/** The current checkout: only explicit choices are passed on, so that the phone uses its own defaults for the rest. */
function handedPurchase({ user, plan, orderId, choices }: CheckoutSettings): HandoverPurchase {
  const { methodCode, currency, installments, discountCode } = choices.chosen;
  return {
    planId: plan.id,
    ...(orderId !== undefined && { orderId }),
    ...(methodCode !== undefined && { methodCode }),
    ...(currency !== undefined && { currency }),
    ...(installments !== undefined && { installments }),
    ...(discountCode !== undefined && { discountCode }),
    ...common(user.uid, plan.id),
  };
}

/** An unpaid order, at whatever step. */
export function toHandoverPurchase({ orderId, planId }: Order): HandoverPurchase {
  return { planId, orderId, ...common(getSession()?.uid ?? '', planId) };
}

const common = (uid: string, planId: string) => ({
  language: activeLanguage(),
  idempotencyKey: purchaseIntent(uid, planId).getOrCreate().idempotencyKey,
});
