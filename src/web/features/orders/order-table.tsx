import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Order } from '#contract/order.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { formatPaymentMethod } from '#web/domain/payments/payer/card-brand.ts';
import { orderStatusLabel } from '#web/domain/payments/status-label.ts';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { OrderPeriod, OrderNumber } from '#web/domain/payments/period-text.tsx';
import { OrderActions, RejectionText } from '#web/domain/payments/order-actions.tsx';
import { WithdrawalNote, WithdrawOrder } from '#web/domain/payments/withdraw-order.tsx';
import styles from './orders.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** The implicit roles of the elements, which CSS that changes `display` removes. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

/**
 * A table on a desktop, the same rows as cards on a phone. Some browsers drop the table semantics of cards, so the
 * roles are explicit.
 */
export function OrderTable({ items }: { items: readonly Order[] }) {
  return (
    <table className={styles.table} {...roles.table}>
      <caption className="sr-only">
        <Trans>Your orders</Trans>
      </caption>
      <thead {...roles.rowgroup}>
        <tr {...roles.row}>
          <Head>
            <Trans>Plan</Trans>
          </Head>
          <Head>
            <Trans>Order</Trans>
          </Head>
          <Head>
            <Trans>Payment</Trans>
          </Head>
          <Head>
            <Trans>Total</Trans>
          </Head>
          <Head>
            <Trans>Status</Trans>
          </Head>
          <Head>
            <span className="sr-only">
              <Trans>Actions</Trans>
            </span>
          </Head>
        </tr>
      </thead>
      <tbody {...roles.rowgroup}>
        {items.map((order) => (
          <OrderRow key={order.orderId} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" {...roles.columnheader}>
      {children}
    </th>
  );
}

/** Its button is never the primary one: unpaid orders are offered above. */
function OrderRow({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  return (
    <tr {...roles.row} className={styles.row}>
      <td {...roles.cell} className={styles.plan}>
        <strong translate="no">{order.planName}</strong>
        {order.serviceStart === null ? null : (
          <span className={styles.soft}>
            <OrderPeriod order={order} />
          </span>
        )}
      </td>
      <td {...roles.cell} className={styles.order}>
        <span>{dayText(i18n, order.date, 'medium')}</span>
        <span className={`${styles.soft} ${styles.number}`} translate="no">
          <OrderNumber orderId={order.orderId} />
        </span>
      </td>
      <td {...roles.cell} className={styles.method}>
        <span>{formatPaymentMethod(order)}</span>
        <PaymentType order={order} />
      </td>
      <td {...roles.cell} className={styles.total}>
        <MoneyText money={order.total} language={language} />
        {order.refunded && order.refunded.amount < order.total.amount ? (
          <RefundedAmount money={order.refunded} />
        ) : null}
      </td>
      <td {...roles.cell} className={styles.status}>
        <OrderState order={order} />
      </td>
      <td {...roles.cell} className={styles.actions}>
        <OrderActions order={order} isSecondary />
        <WithdrawOrder order={order} className={styles.withdraw} />
      </td>
    </tr>
  );
}

function OrderState({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const { label, tone } = orderStatusLabel(order);
  return (
    <>
      <Pill tone={tone}>{i18n._(label)}</Pill>
      {order.rejection ? (
        <span className={styles.why}>
          <RejectionText rejection={order.rejection} />
        </span>
      ) : null}
      <WithdrawalNote order={order} className={styles.why} />
    </>
  );
}

function RefundedAmount({ money }: { money: NonNullable<Order['refunded']> }) {
  const amount = <MoneyText money={money} language={useLanguage()} />;
  return (
    <span className={styles.soft}>
      <Trans>{amount} refunded</Trans>
    </span>
  );
}

function PaymentType({ order }: { order: Order }) {
  return (
    <span className={styles.soft}>
      {order.paymentType === 'INSTALLMENTS' ? <Trans>{order.installments} installments</Trans> : <Trans>In full</Trans>}
      <span translate="no">{order.discountCode === null ? null : dot + order.discountCode}</span>
      {order.renewal ? (
        <>
          <span>{dot}</span>
          <Trans>Renewal</Trans>
        </>
      ) : null}
    </span>
  );
}
