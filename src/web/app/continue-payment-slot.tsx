import { lazy, Suspense } from 'react';
import { ensureWords } from '../i18n/catalogs.ts';
import { useSession } from '../session/session.ts';
import { paymentInProgress } from '../storage/purchase.ts';

const ContinuePayment = lazy(async () => {
  const [{ ContinuePayment: component }] = await Promise.all([
    import('../features/checkout/continue-payment.tsx'),
    ensureWords('customer'),
  ]);
  return { default: component };
});

/** Costs nothing until the customer has left a payment unfinished on this device ([Note: Payment resume]). */
export function ContinuePaymentSlot() {
  const session = useSession();
  if (!session || !paymentInProgress.get()) return null;
  return (
    <Suspense>
      <ContinuePayment />
    </Suspense>
  );
}
