import { createFileRoute } from '@tanstack/react-router';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { useSession } from '#web/platform/session/session.ts';
import { paymentInProgress } from '#web/platform/session/storage/purchase.ts';
import { MainLayout } from '#web/shells/main-layout.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';

const ContinuePayment = lazyPart(
  async () => (await withMessages('private', import('#web/features/checkout/continue-payment.tsx'))).ContinuePayment,
);

export const Route = createFileRoute('/_main')({ component: Main });

function Main() {
  const session = useSession();
  // Loads nothing until the customer has an unfinished payment on this device.
  const isUnfinished = session !== null && paymentInProgress.get() !== undefined;
  return <MainLayout notice={isUnfinished ? <ContinuePayment /> : null} />;
}
