import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { useWakeLock } from '#web/platform/pwa/wake-lock.ts';
import type { PaymentState } from '#web/domain/payments/use-payment-state.ts';
import { PushOffer } from '#web/domain/notifications/push-offer.tsx';
import { usePushOptIn } from '#web/domain/notifications/use-push.ts';
import { handedOrder, OnMyPhone, PhoneHandoverSlot } from '../handover/phone-handover-slot.tsx';
import { isNoCoin, type StepProps } from './step-props.ts';
import { CryptoStep } from './crypto-step.tsx';
import { OtpStep } from './otp-step.tsx';
import { PushStep } from './push-step.tsx';
import { QrStep } from './qr-step.tsx';
import { RedirectStep } from './redirect-step.tsx';
import { isShownHere, type OpenStep } from './stage.ts';
import { StepFrame } from './step-frame.tsx';
import { TicketStep } from './ticket-step.tsx';
import { UploadStep } from './upload-step.tsx';

interface PaymentStepProps extends StepProps<OpenStep> {
  /** the result of the last read: without a server, what is shown remains valid */
  asked: Pick<PaymentState, 'error' | 'readAt'>;
}

/** One component for each step type, whatever the method (contract, `nextStepSchema`). */
export function PaymentStep({ asked, ...props }: PaymentStepProps) {
  const { order, step } = props;
  const [isHanded, hand] = useState(false);
  // keeps the screen on while it is scanned, or while an answer on another phone is awaited
  useWakeLock(isShownHere(step));
  if (isHanded) return <PhoneHandoverSlot makePurchase={() => handedOrder(order)} onBack={() => hand(false)} />;
  const underWay = isUnderWay(step);
  return (
    <StepFrame order={order} asked={asked} underWay={underWay} beside={sideContentOf(step)} ask={props.ask}>
      <Step {...props} />
      {isSlowPayment(step) ? <NotifyWhenPaid orderId={order.orderId} /> : null}
      {underWay ? null : <OnMyPhone onPress={() => hand(true)} />}
    </StepFrame>
  );
}

/** Money is in transit, or a transfer is under review: no other method is offered. */
function isUnderWay(step: OpenStep): boolean {
  if (step.type === 'upload') return step.proof === 'received';
  return step.type === 'crypto' && step.chosen !== null && !isNoCoin(step.chosen.received);
}

/** The payer acts elsewhere, and the money arrives later: this page need not stay open. */
function isSlowPayment(step: OpenStep): boolean {
  if (step.type === 'crypto') return step.chosen !== null;
  return step.type === 'qr' || step.type === 'ticket' || step.type === 'upload';
}

/** Whether a phone scans it from the screen. */
function isScanned(step: OpenStep): boolean {
  if (step.type === 'upload') return step.payload !== null && step.proof !== 'received';
  return step.type === 'qr' || (step.type === 'crypto' && step.chosen !== null && !isNoCoin(step.chosen.missing));
}

/** What is beside the step on a wide screen. */
function sideContentOf(step: OpenStep): 'code' | 'qr' | 'steps' | undefined {
  if (step.type === 'qr') return 'qr';
  if (isScanned(step)) return 'code';
  return step.type === 'ticket' || step.type === 'push' || step.type === 'upload' ? 'steps' : undefined;
}

function Step({ step, ...rest }: StepProps<OpenStep>) {
  switch (step.type) {
    case 'redirect':
      return <RedirectStep step={step} {...rest} />;
    case 'qr':
      return <QrStep step={step} {...rest} />;
    case 'ticket':
      return <TicketStep step={step} {...rest} />;
    case 'push':
      return <PushStep step={step} {...rest} />;
    case 'otp':
      return <OtpStep step={step} {...rest} />;
    case 'crypto':
      return <CryptoStep step={step} {...rest} />;
    case 'upload':
      return <UploadStep step={step} {...rest} />;
  }
}

/** Offers a notification for slow payments, so that the customer need not watch the page. */
function NotifyWhenPaid({ orderId }: { orderId: string }) {
  const telling = usePushOptIn({ type: 'payment', orderId });
  return (
    <PushOffer
      telling={telling}
      ask={<Trans>Tell me when it is paid</Trans>}
      told={<Trans>We tell you on this device as soon as your payment has arrived. You may close this page.</Trans>}
    />
  );
}
