import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TicketPercent } from '../../ui/icon.tsx';
import look from './order-summary.module.css';
import type { Coupon } from './use-coupon.ts';

/** A coupon code to apply, or the one that applies. Enter applies it; it never sends the form around it. */
export function CouponField({ coupon }: { coupon: Coupon }) {
  const { t } = useLingui();
  if (coupon.applied) return <Applied code={coupon.applied} onRemove={coupon.remove} />;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    coupon.apply();
  };
  return (
    <div className={look.coupon}>
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
        maxLength={32}
        enterKeyHint="done"
        suffix={
          <Button variant="quiet" busy={coupon.busy} onClick={coupon.apply}>
            <Trans>Apply</Trans>
          </Button>
        }
      />
    </div>
  );
}

function Applied({ code, onRemove }: { code: string; onRemove: () => void }) {
  return (
    <div className={look.coupon}>
      <p className={look.applied}>
        <span role="status">
          <TicketPercent aria-hidden />
          <Trans>Coupon {code} applied</Trans>
        </span>
        <Button variant="quiet" onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </p>
    </div>
  );
}
