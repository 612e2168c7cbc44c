import { createFileRoute } from '@tanstack/react-router';
import { ContinuePaymentSlot } from '../app/continue-payment-slot.tsx';
import { MainLayout } from '../shells/main-layout.tsx';

export const Route = createFileRoute('/_main')({ component: Main });

function Main() {
  return <MainLayout notice={<ContinuePaymentSlot />} />;
}
