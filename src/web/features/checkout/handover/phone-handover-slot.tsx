import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { Elements } from '#web/ui/elements.ts';
import type { HandedPurchase } from '#contract/handover.ts';
import type { Order } from '#contract/order.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { Ring } from '#web/ui/spinner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Smartphone } from '#web/ui/icon.tsx';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { getSession } from '#web/platform/session/session.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import { useLeavePhone } from '../use-address.ts';
import type { CheckoutSettings } from '../checkout-settings.ts';
import type { PhoneHandoverProps } from './phone-handover.tsx';
import styles from './on-my-phone.module.css';

const loadHandover = async () => (await import('./phone-handover.tsx')).PhoneHandover;

/** What only a TV needs comes when it is wanted. */
export function PhoneHandoverSlot(props: PhoneHandoverProps) {
  const [PhoneHandover, want] = useLazyModule(loadHandover);
  useEffect(() => void want(), [want]);
  return PhoneHandover ? <PhoneHandover {...props} /> : <Ring />;
}

/** On a TV, and nowhere else: whatever the way to pay, typing is easier in the hand. */
export function OnMyPhone({ onPress }: { onPress: () => void }) {
  return (
    <Button size="lg" wide data-first className={styles.onMyPhone} onClick={onPress}>
      <Smartphone aria-hidden />
      <Trans>Pay on my phone</Trans>
    </Button>
  );
}

/** In place of the form, where the customer of a TV wants to pay on a phone. */
export function useHandoverStep(checkout: CheckoutSettings): Elements {
  const leave = useLeavePhone();
  if (checkout.step !== 'phone') return null;
  return <PhoneHandoverSlot makePurchase={() => handedPurchase(checkout)} onBack={leave} />;
}

/** The checkout as it stands: only what was chosen goes along, so that the phone chooses the rest as any phone does. */
function handedPurchase({ user, plan, orderId, choices }: CheckoutSettings): HandedPurchase {
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

/** An order that waits for its payer, at whatever step. */
export function handedOrder({ orderId, planId }: Order): HandedPurchase {
  return { planId, orderId, ...common(getSession()?.uid ?? '', planId) };
}

const common = (uid: string, planId: string) => ({
  language: activeLanguage(),
  idempotencyKey: purchaseIntent(uid, planId).getOrCreate().idempotencyKey,
});
