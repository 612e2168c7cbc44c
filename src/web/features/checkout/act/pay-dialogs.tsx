import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Order } from '#contract/order.ts';
import { useResumeOrder } from '#web/domain/payments/use-resume-order.ts';
import { resultPath } from '#web/domain/payments/resume-path.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import type { PayState } from './pay-machine.ts';
import type { PaySession } from './pay-session.ts';

interface PayDialogsProps {
  state: PayState;
  session: PaySession;
  /** pays what is on the screen, as the button does */
  onPay: () => void;
}

/** The confirmations before a second order for the same plan. */
export function PayDialogs({ state, session, onPay }: PayDialogsProps) {
  const [tapped, setTapped] = useState(false);
  if (state.phase === 'revaluing' && !tapped) setTapped(true);
  const goOn = (orderId: string) => {
    session.accept(orderId);
    if (tapped) onPay();
  };
  return (
    <>
      <UnfinishedDialog
        order={state.phase === 'unfinished' ? state.order : undefined}
        onClose={session.dismiss}
        onPayAgain={goOn}
      />
      <ConfirmingDialog
        order={state.phase === 'confirming' ? state.order : undefined}
        onClose={session.dismiss}
        onPayAgain={goOn}
      />
      <JustPaidDialog order={state.phase === 'justPaid' ? state.order : undefined} onAgain={goOn} />
    </>
  );
}

interface WaitingProps {
  order: Order | undefined;
  onClose: () => void;
  onPayAgain: (orderId: string) => void;
}

/** Offers a customer with an unfinished order to finish it. */
function UnfinishedDialog({ order, onClose, onPayAgain }: WaitingProps) {
  const navigate = useNavigate();
  const language = useLanguage();
  const { resume, isPending } = useResumeOrder();
  return (
    <Dialog
      open={order !== undefined}
      onClose={onClose}
      title={<Trans>You have an unfinished order</Trans>}
      actions={
        order ? (
          <>
            <Button busy={isPending} onClick={() => resume(order.orderId)}>
              <Trans>Finish order</Trans>
            </Button>
            <Button variant="secondary" onClick={() => onPayAgain(order.orderId)}>
              <Trans>Start a new one</Trans>
            </Button>
            <Button variant="quiet" onClick={() => void navigate({ to: '/orders' })}>
              <Trans>View my orders</Trans>
            </Button>
          </>
        ) : undefined
      }
    >
      {order ? (
        <p>
          <Trans>
            {order.planName}, <MoneyText money={order.total} language={language} />, with {order.methodName}. We haven’t
            received your payment yet.
          </Trans>
        </p>
      ) : null}
    </Dialog>
  );
}

/** The payer has confirmed, or the bank's result is unknown: paying again may be paying twice. */
function ConfirmingDialog({ order, onClose, onPayAgain }: WaitingProps) {
  const language = useLanguage();
  const { resume, isPending } = useResumeOrder();
  return (
    <Dialog
      open={order !== undefined}
      onClose={onClose}
      title={<Trans>We are checking your payment for this plan</Trans>}
      actions={
        order ? (
          <>
            <Button busy={isPending} onClick={() => resume(order.orderId)}>
              <Trans>Check payment</Trans>
            </Button>
            <Button variant="secondary" onClick={() => onPayAgain(order.orderId)}>
              <Trans>Pay again</Trans>
            </Button>
          </>
        ) : undefined
      }
    >
      {order && (
        <p>
          {order.status === 'SUBMITTED' ? (
            <Trans>
              {order.planName}, <MoneyText money={order.total} language={language} />, with {order.methodName}. We don’t
              know yet whether it arrived. Wait before you pay again.
            </Trans>
          ) : (
            <Trans>
              {order.planName}, <MoneyText money={order.total} language={language} />, with {order.methodName}. You’ve
              done your part, and there’s nothing more to pay.
            </Trans>
          )}
        </p>
      )}
    </Dialog>
  );
}

interface JustPaidProps {
  order: Order | undefined;
  onAgain: (orderId: string) => void;
}

/** Unless the customer chooses to pay again, the dialog leads to the payment, and no pay button stays on the screen. */
function JustPaidDialog({ order, onAgain }: JustPaidProps) {
  const navigate = useNavigate();
  const leave = () => {
    if (order) void navigate({ href: resultPath(order.orderId), replace: true });
  };
  return (
    <Dialog
      open={order !== undefined}
      onClose={leave}
      title={<Trans>You paid for this plan a few minutes ago</Trans>}
      actions={
        order ? (
          <>
            <Button onClick={leave}>
              <Trans>Don’t pay again</Trans>
            </Button>
            <Button variant="secondary" onClick={() => onAgain(order.orderId)}>
              <Trans>Pay again</Trans>
            </Button>
          </>
        ) : undefined
      }
    >
      {order ? (
        <p>
          <Trans>
            We’ve received your payment for {order.planName}. If you pay again, its days are added to the ones you have.
          </Trans>
        </p>
      ) : null}
    </Dialog>
  );
}
