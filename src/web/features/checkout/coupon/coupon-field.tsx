import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { listCoupons, type OwnCoupon } from '#contract/coupons.ts';
import { couponFits, couponOff } from '#web/domain/payments/coupon-messages.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TicketPercent } from '#web/ui/icon.tsx';
import look from '../price/order-summary.module.css';
import type { PriceInput } from '../price/use-purchase.ts';
import type { CheckoutCoupon } from './use-coupon.ts';
import { order } from '#contract/orders.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useResumeOrder } from '#web/domain/payments/use-resume-order.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useAction } from '#web/platform/form/use-api-mutation.ts';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';

interface CouponFieldProps {
  coupon: CheckoutCoupon;
  /** the purchase */
  input: PriceInput;
}

/** A coupon field, or the applied coupon. */
export function CouponField({ coupon, input }: CouponFieldProps) {
  const { applied, error } = coupon;
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(applied);
  // One replaces the other, so the focused element may be removed.
  useEffect(() => {
    if (shown.current !== applied && document.activeElement === document.body) ref.current?.focus();
    shown.current = applied;
  }, [applied]);
  // The bar with the total may cover the message.
  useEffect(() => {
    if (error) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={ref} className={look.coupon} tabIndex={-1}>
      {applied ? <AppliedCoupon code={applied} onRemove={coupon.remove} /> : <Entry coupon={coupon} input={input} />}
    </div>
  );
}

/** Collapsed to one line until the customer wants to type a code; their own coupons are always one tap away. */
function Entry({ coupon, input }: CouponFieldProps) {
  const [wanted, setWanted] = useState(false);
  const isOpen = wanted || coupon.text !== '' || coupon.error !== undefined;
  return (
    <>
      {isOpen ? (
        <CodeField coupon={coupon} isWanted={wanted} />
      ) : (
        <Button variant="quiet" className={look.add} onClick={() => setWanted(true)}>
          <TicketPercent aria-hidden />
          <Trans>Add coupon</Trans>
        </Button>
      )}
      <OtherOrder coupon={coupon} />
      <OwnCoupons coupon={coupon} input={input} />
    </>
  );
}

interface CodeFieldProps {
  coupon: CheckoutCoupon;
  /** opened by a tap, so the field receives the focus */
  isWanted: boolean;
}

/** Enter applies the code; it never submits the form around it. */
function CodeField({ coupon, isWanted }: CodeFieldProps) {
  const { t } = useLingui();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWanted) ref.current?.focus();
  }, [isWanted]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    coupon.apply();
  };
  return (
    <Field
      ref={ref}
      label={t`Coupon code`}
      required={false}
      name="discountCode"
      value={coupon.text}
      error={coupon.error}
      onChange={(event) => coupon.type(event.target.value)}
      onKeyDown={onKeyDown}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      enterKeyHint="done"
      suffix={
        <Button variant="quiet" busy={coupon.isPending} onClick={coupon.apply}>
          <Trans>Apply</Trans>
        </Button>
      }
    />
  );
}

/** The customer's coupons for this purchase. */
export function useOwnCoupons({ planId, currency }: Pick<PriceInput, 'planId' | 'currency'>): readonly OwnCoupon[] {
  // The checkout works without them. A phone that was handed a checkout sees none.
  const [hasCoupons, session] = [useIsCapable('account'), useSession()];
  const enabled = hasCoupons && session?.onlyPlanId === undefined;
  const { data } = useQuery({ ...q(listCoupons, { body: {} }, { quiet: true }), enabled });
  return data?.items.filter((coupon) => couponFits(coupon, planId, currency)) ?? [];
}

/** The customer's coupons, so that they need not search their emails for a code. */
function OwnCoupons({ coupon: { use, isPending }, input }: CouponFieldProps) {
  const { i18n } = useLingui();
  const own = useOwnCoupons(input);
  if (own.length === 0) return null;
  return (
    <div className={look.own}>
      <p id="own-coupons">
        <Trans>Your coupons</Trans>
      </p>
      <ul aria-labelledby="own-coupons">
        {own.map((coupon) => (
          <li key={coupon.code}>
            <Button variant="secondary" disabled={isPending} onClick={() => use(coupon.code)}>
              <TicketPercent aria-hidden />
              <span>{`${coupon.code}${dot}${couponOff(i18n, coupon)}`}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function AppliedCoupon({ code, onRemove }: { code: string; onRemove: () => void }) {
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

/** Below a coupon that another order uses: a link to that order, and a button to use the coupon here instead. */
function OtherOrder({ coupon }: { coupon: CheckoutCoupon }) {
  const { orderId, mayTakeOver } = coupon.otherOrder;
  const [asking, setAsking] = useState(false);
  const { resume, isPending } = useResumeOrder();
  if (orderId === undefined) return null;
  return (
    <div className={look.otherOrder}>
      <Button variant="secondary" busy={isPending} onClick={() => resume(orderId)}>
        <Trans>View order</Trans>
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
            <Trans>Cancel it and use coupon</Trans>
          </Button>
          <Button variant="secondary" onClick={close}>
            <Trans>Keep other order</Trans>
          </Button>
        </>
      }
    >
      <OrderDescription orderId={orderId} />
      <p>
        <Trans>
          To use coupon {coupon.text} here, we’ll cancel that order for good. If you have a code, boleto or address to
          pay it, don’t pay it any more.
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
