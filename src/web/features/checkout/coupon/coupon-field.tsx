import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { TicketPercent } from '../../../ui/icon.tsx';
import { OtherOrder } from './other-order.tsx';
import look from '../price/order-summary.module.css';
import type { Coupon } from './use-coupon.ts';

/** A coupon code to apply, or the one that applies. */
export function CouponField({ coupon }: { coupon: Coupon }) {
  const { applied, error } = coupon;
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(applied);
  // One stands in place of the other, and whatever had the focus is gone with it.
  useEffect(() => {
    if (shown.current !== applied && document.activeElement === document.body) ref.current?.focus();
    shown.current = applied;
  }, [applied]);
  // The bar with the total may lie over what is said here.
  useEffect(() => {
    if (error) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={ref} className={look.coupon} tabIndex={-1}>
      {applied ? <Applied code={applied} onRemove={coupon.remove} /> : <Entry coupon={coupon} />}
    </div>
  );
}

/** Enter applies the code; it never sends the form around it. */
function Entry({ coupon }: { coupon: Coupon }) {
  const { t } = useLingui();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    coupon.apply();
  };
  return (
    <>
      <Field
        label={t`Coupon code`}
        name="coupon"
        value={coupon.text}
        error={coupon.error}
        onChange={(event) => coupon.type(event.target.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="done"
        suffix={
          <Button variant="quiet" busy={coupon.busy} onClick={coupon.apply}>
            <Trans>Apply</Trans>
          </Button>
        }
      />
      <OtherOrder coupon={coupon} />
    </>
  );
}

function Applied({ code, onRemove }: { code: string; onRemove: () => void }) {
  return (
    <p className={look.applied}>
      <span role="status">
        <TicketPercent aria-hidden />
        <Trans>Coupon {code} applied</Trans>
      </span>
      <Button variant="quiet" onClick={onRemove}>
        <Trans>Remove</Trans>
      </Button>
    </p>
  );
}
