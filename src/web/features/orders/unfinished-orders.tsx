import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Order } from '#contract/order.ts';
import { orderRemind } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import { OrderNumber } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { OrderActions, RejectionText, CancelOrder } from '#web/domain/payments/order-actions.tsx';
import { OrderMailButton } from '#web/domain/payments/order-mail-button.tsx';
import { orderStatusLabel } from '#web/domain/payments/status-label.ts';
import { Card } from '#web/ui/card.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { cartQuery, type OrderList } from './orders-queries.ts';
import styles from './unfinished-orders.module.css';
import { orderAction } from '#web/domain/payments/order-action.ts';
import { dayText, timeText } from '#web/platform/i18n/day-text.ts';

/** More would push the orders list out of sight; the others are in that list. */
const offered = 3;

/**
 * The unpaid orders: first those that can be continued, then those that expired. A failed order is not among them; it
 * is in the list and can be retried there.
 */
export function cartOffers(items: readonly Order[], now: number): Order[] {
  const of = (action: ReturnType<typeof orderAction>) =>
    items.filter((order) => isOpen(order.status) && orderAction(order, now) === action);
  return [...of('continue'), ...of('tryAgain')].slice(0, offered);
}

/**
 * The unpaid orders, which are shown above all others and not in the list. Until they are known, those of `list`, so
 * that the list does not move.
 */
export function useOffers({ loaded, items }: Pick<OrderList, 'loaded' | 'items'>): readonly Order[] {
  const { data } = useQuery(cartQuery);
  return loaded ? cartOffers(data?.items ?? items, serverNow()) : [];
}

/** The unpaid orders, from this device or another; the first has the primary button. */
export function UnfinishedOrders({ offers, onChanged }: { offers: readonly Order[]; onChanged: () => void }) {
  if (offers.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="unfinished-orders">
      <h2 className={styles.title} id="unfinished-orders">
        <Trans>Waiting for your payment</Trans>
      </h2>
      <ul className={styles.list}>
        {offers.map((order, index) => (
          <Card key={order.orderId} as="li" tone="soft" className={styles.order}>
            <Unfinished order={order} first={index === 0} onChanged={onChanged} />
          </Card>
        ))}
      </ul>
    </section>
  );
}

interface UnfinishedProps {
  order: Order;
  first: boolean;
  onChanged: () => void;
}

function Unfinished({ order, first, onChanged }: UnfinishedProps) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { label, tone } = orderStatusLabel(order);
  return (
    <>
      <strong className={styles.plan} translate="no">
        {order.planName}
      </strong>
      <p className={styles.total}>
        <MoneyText money={order.total} language={language} />
      </p>
      <p className={styles.status}>
        <Pill tone={tone}>{i18n._(label)}</Pill>
      </p>
      <div className={styles.facts}>
        <p>
          <span>{`${order.methodName}${dot}${dayText(i18n, order.date, 'medium')}`}</span>
          <span translate="no">{order.discountCode === null ? null : dot + order.discountCode}</span>
        </p>
        <p className={styles.number} translate="no">
          <OrderNumber orderId={order.orderId} />
        </p>
        <Until order={order} />
      </div>
      {order.rejection ? (
        <p className={styles.rejection}>
          <RejectionText rejection={order.rejection} />
        </p>
      ) : null}
      <div className={styles.actions}>
        <OrderActions order={order} isSecondary={!first} />
        {isOpen(order.status) ? <Reminder orderId={order.orderId} /> : null}
        <CancelOrder order={order} onChanged={onChanged} />
      </div>
    </>
  );
}

function Until({ order: { expiresAt } }: { order: Order }) {
  const { i18n } = useLingui();
  if (expiresAt === null) return null;
  const time = timeText(i18n, expiresAt);
  return <p>{expiresAt > serverNow() ? <Trans>Pay by {time}</Trans> : <Trans>Time to pay ended on {time}</Trans>}</p>;
}

/** Emails what is needed to pay on another device or later. */
function Reminder({ orderId }: { orderId: string }) {
  return (
    <OrderMailButton endpoint={orderRemind} orderId={orderId} className={styles.said}>
      <Trans>Email me a reminder</Trans>
    </OrderMailButton>
  );
}
