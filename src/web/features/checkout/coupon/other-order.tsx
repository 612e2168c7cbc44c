import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { order } from '#contract/orders.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useResumeOrder } from '#web/domain/payments/use-resume-order.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import look from '../price/order-summary.module.css';
import type { CheckoutCoupon } from './use-coupon.ts';
import { useAction } from '#web/platform/form/use-action.ts';

/** Below a coupon that another order uses: a link to that order, and a button to use the coupon here instead. */
export function OtherOrder({ coupon }: { coupon: CheckoutCoupon }) {
  const { orderId, mayTakeOver } = coupon.otherOrder;
  const [asking, setAsking] = useState(false);
  const { resume, isPending } = useResumeOrder();
  if (orderId === undefined) return null;
  return (
    <div className={look.otherOrder}>
      <Button variant="secondary" busy={isPending} onClick={() => resume(orderId)}>
        <Trans>View it</Trans>
      </Button>
      {mayTakeOver ? (
        <>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            <Trans>Use it here</Trans>
          </Button>
          <MoveCouponDialog coupon={coupon} orderId={orderId} open={asking} onClose={() => setAsking(false)} />
        </>
      ) : null}
    </div>
  );
}

interface TakeOverProps {
  coupon: CheckoutCoupon;
  orderId: string;
  open: boolean;
  onClose: () => void;
}

/** Moving a coupon to another order cancels the order that has it, so it needs a confirmation. */
function MoveCouponDialog({ coupon, orderId, open, onClose }: TakeOverProps) {
  const { mutate, isPending, problem, clear } = useAction(async () => {
    const kept = await coupon.moveCouponHere();
    if (!kept) onClose();
    return { refusal: kept && { summary: kept } };
  });
  const close = () => {
    clear();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={<Trans>Cancel the other order?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={mutate}>
            <Trans>Cancel it and use the coupon here</Trans>
          </Button>
          <Button variant="secondary" onClick={close}>
            <Trans>Keep the other order</Trans>
          </Button>
        </>
      }
    >
      <OrderDescription orderId={orderId} />
      <p>
        <Trans>
          To use the coupon {coupon.text} here, that order is cancelled for good. If you have a code, a slip or an
          address to pay it by, do not pay it any more.
        </Trans>
      </p>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

function OrderDescription({ orderId }: { orderId: string }) {
  const language = useLanguage();
  const { data } = useQuery(q(order, { params: { id: orderId } }, { quiet: true }));
  return (
    <p>
      {data ? (
        <strong>
          <span translate="no">{`${data.planName}, `}</span>
          <MoneyText money={data.total} language={language} />
          <span translate="no">{`, ${data.methodName}`}</span>
        </strong>
      ) : null}
      <span> </span>
      <span className={look.orderId} translate="no">
        {orderId}
      </span>
    </p>
  );
}
