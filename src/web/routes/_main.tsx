import { createFileRoute } from '@tanstack/react-router';
import { withWords } from '../platform/i18n/catalogs.ts';
import { useSession } from '../platform/session/session.ts';
import { paymentInProgress } from '../platform/storage/purchase.ts';
import { MainLayout } from '../shells/main-layout.tsx';
import { late } from '../ui/late.tsx';

const ContinuePayment = late(
  async () => (await withWords('customer', import('../features/checkout/continue-payment.tsx'))).ContinuePayment,
);

export const Route = createFileRoute('/_main')({ component: Main });

function Main() {
  const session = useSession();
  // Costs nothing until the customer has left a payment unfinished on this device ([Note: Payment resume]).
  const isUnfinished = session !== null && paymentInProgress.get() !== undefined;
  return <MainLayout notice={isUnfinished ? <ContinuePayment /> : null} />;
}
