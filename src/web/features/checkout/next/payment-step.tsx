import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { useWakeLock } from '#web/platform/pwa/wake-lock.ts';
import type { PaymentState } from '#web/domain/payments/use-payment-state.ts';
import { PushOffer } from '#web/domain/notifications/push-offer.tsx';
import { usePushOptIn } from '#web/domain/notifications/use-push.ts';
import { toHandoverPurchase, ContinueOnPhoneButton, PhoneHandoverSlot } from '../handover/phone-handover-slot.tsx';
import { CryptoStep, PushStep } from './crypto-step.tsx';
import { OtpStep } from './otp-step.tsx';
import { QrStep } from './qr-step.tsx';
import { isShownHere, type OpenStep, isZeroCoinAmount, type StepProps } from './stage.ts';
import { TicketStep } from './ticket-step.tsx';
import { UploadStep } from './upload-step.tsx';
import { Link } from '#web/platform/brand/link.tsx';
import type { NextStepOf } from '#contract/next-step.ts';
import { ContinueAtProvider } from '#web/domain/payments/continue-at-provider.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StepHead } from './step-head.tsx';
import styles from './step.module.css';
import type { Order } from '#contract/order.ts';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { CancelOrder } from '#web/domain/payments/order-actions.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Elements } from '#web/ui/elements.ts';

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
  if (isHanded) return <PhoneHandoverSlot makePurchase={() => toHandoverPurchase(order)} onBack={() => hand(false)} />;
  const underWay = isUnderWay(step);
  return (
    <StepFrame order={order} asked={asked} underWay={underWay} aside={sideContentOf(step)} ask={props.ask}>
      <Step {...props} />
      {isSlowPayment(step) ? <NotifyWhenPaid orderId={order.orderId} /> : null}
      {underWay ? null : <ContinueOnPhoneButton onPress={() => hand(true)} />}
    </StepFrame>
  );
}

/** Money is in transit, or a transfer is under review: no other method is offered. */
function isUnderWay(step: OpenStep): boolean {
  if (step.type === 'upload') return step.proof === 'received';
  return step.type === 'crypto' && step.chosen !== null && !isZeroCoinAmount(step.chosen.received);
}

/** The payer acts elsewhere, and the money arrives later: this page need not stay open. */
function isSlowPayment(step: OpenStep): boolean {
  if (step.type === 'crypto') return step.chosen !== null;
  return step.type === 'qr' || step.type === 'ticket' || step.type === 'upload';
}

/** Whether a phone scans it from the screen. */
function isScanned(step: OpenStep): boolean {
  if (step.type === 'upload') return step.payload !== null && step.proof !== 'received';
  return (
    step.type === 'qr' || (step.type === 'crypto' && step.chosen !== null && !isZeroCoinAmount(step.chosen.missing))
  );
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
      optIn={telling}
      ask={<Trans>Notify me when it’s paid</Trans>}
      told={<Trans>We’ll notify you on this device as soon as your payment arrives. You can close this page.</Trans>}
    />
  );
}

/**
 * Before a bank's or wallet's page, and after Back from it: links to that page and to the payment's state. It does not
 * redirect by itself, or Back would be unusable.
 */
function RedirectStep({ step, order, ask }: StepProps<NextStepOf<'redirect'>>) {
  const { orderId } = order;
  return (
    <>
      <StepHead order={order} amount={order.total} />
      <section className={styles.box}>
        <StateArt kind="pending" />
        <h2 className={styles.boxTitle}>
          <Trans>This payment needs your confirmation</Trans>
        </h2>
        <p>
          <Trans>Confirm it on your bank’s or wallet’s page. Then you’ll come back here.</Trans>
        </p>
      </section>
      <div className={styles.actions}>
        <ContinueAtProvider orderId={orderId} step={step} onChanged={ask} />
        <Link to="/paymentResult" search={{ orderId }} className={buttonClass({ variant: 'secondary' })}>
          <Trans>Check payment</Trans>
        </Link>
      </div>
    </>
  );
}

interface StepFrameProps {
  order: Order;
  asked: Pick<PaymentState, 'error' | 'readAt'>;
  /** money is in transit: no other method is offered */
  underWay: boolean;
  /** content beside the step on a wide screen: a code to scan, or the instructions */
  aside: keyof typeof sides | undefined;
  ask: () => void;
  children: Elements;
}

/** `qr`: a code that is scanned if another phone is at hand, and copied only otherwise. */
const sides = {
  code: styles.scanned,
  qr: classNames(styles.scanned, styles.scannedFirst),
  steps: styles.told,
} as const;

/** The frame of every step: an error if the server is unreachable, and a link to another method. */
function StepFrame({ order, asked, underWay, aside, ask, children }: StepFrameProps) {
  return (
    <div className={classNames(styles.page, aside && sides[aside])}>
      {children}
      {asked.error ? (
        <Alert tone="warning" live="polite">
          <Trans>
            We can’t reach the shop right now. Everything here is still valid, and this page keeps checking.
          </Trans>
        </Alert>
      ) : null}
      <SavedStamp {...asked} />
      {underWay ? null : <OtherMethods order={order} ask={ask} />}
    </div>
  );
}

/**
 * Pays the same order by another method, or cancels it. The server closes this step when another method is chosen, so
 * both cannot be paid.
 */
function OtherMethods({ order, ask }: { order: Order; ask: () => void }) {
  const { planId, orderId } = order;
  return (
    <div className={styles.other}>
      <Link to="/payment" search={{ planId, orderId, another: '1' }} className={buttonClass({ variant: 'quiet' })}>
        <Trans>Pay another way</Trans>
      </Link>
      <CancelOrder order={order} onChanged={ask} />
    </div>
  );
}
