import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import type { OwnCoupon } from '#contract/coupons.ts';
import { couponOff } from '#web/domain/payments/coupon-messages.ts';
import { useResumeOrder } from '#web/domain/payments/use-resume-order.ts';
import { couponToUse } from '#web/platform/session/storage/checkout-draft.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import styles from './coupons.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** One coupon: its reduction, the plans and time that it is valid for, and its action. */
export function CouponCard({ coupon }: { coupon: OwnCoupon }) {
  const { i18n } = useLingui();
  return (
    <Card as="li" className={styles.coupon} data-over={isOver(coupon) || undefined}>
      <p className={styles.off}>{couponOff(i18n, coupon)}</p>
      <CouponStateLabel coupon={coupon} />
      <div className={styles.facts}>
        <p className={styles.code} translate="no">
          {coupon.code}
        </p>
        <CouponScope coupon={coupon} />
        <Validity coupon={coupon} />
      </div>
      <div className={styles.action}>
        <CouponAction coupon={coupon} />
      </div>
    </Card>
  );
}

const isOver = ({ state }: OwnCoupon) => state === 'used' || state === 'expired' || state === 'unavailable';

/** A usable coupon has a button and needs no label. */
function CouponStateLabel({ coupon: { state } }: { coupon: OwnCoupon }) {
  switch (state) {
    case 'usable':
      return null;
    case 'later':
      return (
        <Pill tone="neutral">
          <Trans>Not valid yet</Trans>
        </Pill>
      );
    case 'held':
      return (
        <Pill tone="brand">
          <Trans>In an open order</Trans>
        </Pill>
      );
    case 'used':
      return (
        <Pill tone="success">
          <Trans>Used</Trans>
        </Pill>
      );
    case 'expired':
      return (
        <Pill tone="neutral">
          <Trans>Expired</Trans>
        </Pill>
      );
    case 'unavailable':
      return (
        <Pill tone="neutral">
          <Trans>No longer available</Trans>
        </Pill>
      );
  }
}

function CouponScope({ coupon: { plans, firstPurchaseOnly } }: { coupon: OwnCoupon }) {
  const names = plans.map(({ planName }) => planName).join(', ');
  return (
    <>
      <p>{names === '' ? <Trans>For any plan</Trans> : <Trans>For {names}</Trans>}</p>
      {firstPurchaseOnly ? (
        <p>
          <Trans>For your first purchase</Trans>
        </p>
      ) : null}
    </>
  );
}

function Validity({ coupon: { state, startsAt, endsAt } }: { coupon: OwnCoupon }) {
  const { i18n } = useLingui();
  const day = (instant: number) => dayText(i18n, instant);
  // the last valid day is the one before the timestamp from which it is invalid
  const [first, last] = [day(startsAt), day(endsAt - 1)];
  if (state === 'later') {
    return (
      <p>
        <Trans>
          From {first} until {last}
        </Trans>
      </p>
    );
  }
  return <p>{state === 'expired' ? <Trans>Ended on {last}</Trans> : <Trans>Until {last}</Trans>}</p>;
}

function CouponAction({ coupon }: { coupon: OwnCoupon }) {
  switch (coupon.state) {
    case 'usable':
      return <UseCoupon coupon={coupon} />;
    case 'held':
      return coupon.orderId === null ? null : <OpenOrder code={coupon.code} orderId={coupon.orderId} />;
    case 'used':
      return coupon.orderId === null ? null : (
        <Link to="/receipt" search={{ orderId: coupon.orderId }} className={buttonClass({ variant: 'quiet' })}>
          <Trans>Receipt</Trans>
          <span className="sr-only">{coupon.code}</span>
        </Link>
      );
    case 'later':
    case 'expired':
    case 'unavailable':
      return null;
  }
}

/** Leads to the checkout of its only plan, or to the plans; the code is stored in this tab for the checkout. */
function UseCoupon({ coupon: { code, plans } }: { coupon: OwnCoupon }) {
  const { i18n } = useLingui();
  const navigate = useNavigate();
  const use = () => {
    couponToUse.set({ code, planIds: plans.map(({ planId }) => planId) });
    const [only, ...others] = plans;
    if (only && others.length === 0) {
      void navigate({ to: '/payment', search: { planId: only.planId } });
      return;
    }
    showToast({ tone: 'info', text: i18n._(msg`Choose a plan. We’ll apply your coupon ${code} at checkout.`) });
    void navigate({ to: '/pricing-table' });
  };
  return (
    <Button onClick={use}>
      <Trans>Use coupon</Trans>
      <span className="sr-only">{code}</span>
    </Button>
  );
}

function OpenOrder({ code, orderId }: { code: string; orderId: string }) {
  const { resume, isPending } = useResumeOrder();
  return (
    <Button variant="secondary" busy={isPending} onClick={() => resume(orderId)}>
      <Trans>View order</Trans>
      <span className="sr-only">{code}</span>
    </Button>
  );
}
