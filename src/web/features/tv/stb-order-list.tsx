import { Trans, useLingui } from '@lingui/react/macro';
import type { Order } from '#contract/order.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { OrderActions } from '#web/domain/payments/order-actions.tsx';
import { RejectionWords } from '#web/domain/payments/rejection-words.tsx';
import { orderWords } from '#web/domain/payments/status-words.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './stb-orders.module.css';
import { dot } from '#web/ui/dot.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** The latest orders, newest first, each with its one action. */
export function StbOrderList({ items }: { items: readonly Order[] }) {
  return (
    <>
      <h2 className={styles.heading} id="stb-list">
        <Trans>Last orders</Trans>
      </h2>
      {items.length === 0 ? (
        <p className={styles.soft}>
          <Trans>What you buy appears here, with its receipt.</Trans>
        </p>
      ) : (
        <ul className={styles.list}>
          {items.map((order) => (
            <StbOrder key={order.orderId} order={order} />
          ))}
        </ul>
      )}
    </>
  );
}

function StbOrder({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { label, tone } = orderWords(order);
  return (
    <li className={styles.order}>
      <div className={styles.facts}>
        <strong translate="no">{order.planName}</strong>
        <span className={styles.soft}>
          <span>{`${dayText(i18n, order.date, 'medium')}${dot}`}</span>
          <MoneyText money={order.total} language={language} />
          {order.renewal ? (
            <>
              <span>{dot}</span>
              <Trans>Renewal</Trans>
            </>
          ) : null}
        </span>
        <Pill tone={tone}>{i18n._(label)}</Pill>
        {order.rejection ? (
          <span className={styles.soft}>
            <RejectionWords rejection={order.rejection} />
          </span>
        ) : null}
      </div>
      <OrderActions order={order} />
    </li>
  );
}
