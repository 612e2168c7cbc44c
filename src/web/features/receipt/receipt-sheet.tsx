import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Order } from '../../../contract/order.ts';
import type { Money } from '../../../contract/money.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import { useLanguage } from '../../i18n/active.ts';
import { orderWords } from '../../payment-state/status-words.ts';
import { useSession } from '../../session/session.ts';
import { MoneyText } from '../../ui/money-text.tsx';
import { Pill } from '../../ui/pill.tsx';
import styles from './receipt.module.css';

interface ReceiptSheetProps {
  order: Order;
  serviceStart: number | null;
  serviceEnd: number | null;
}

/** The paper itself: seller, order, lines, total. */
export function ReceiptSheet({ order, serviceStart, serviceEnd }: ReceiptSheetProps) {
  const { i18n } = useLingui();
  const { theme } = useBrand();
  const { label, tone } = orderWords(order);
  const day = (instant: number) => i18n.date(new Date(instant), { dateStyle: 'long' });
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <div>
          <p className={styles.brand}>{theme.name}</p>
          <h1 className={styles.title}>
            <Trans>Receipt</Trans>
          </h1>
        </div>
        <Pill tone={tone}>{i18n._(label)}</Pill>
      </header>
      <dl className={styles.rows}>
        <Row label={<Trans>Order</Trans>}>{order.orderId}</Row>
        <Row label={<Trans>Date</Trans>}>{day(order.paidAt ?? order.date)}</Row>
        <Account />
        <Row label={<Trans>Plan</Trans>}>{order.planName}</Row>
        {serviceStart !== null && serviceEnd !== null ? (
          <Row label={<Trans>Valid</Trans>}>
            {day(serviceStart)} – {day(serviceEnd)}
          </Row>
        ) : null}
        <Row label={<Trans>Payment method</Trans>}>{order.methodName}</Row>
        <Row label={<Trans>Payment type</Trans>}>
          {order.paymentType === 'INSTALLMENTS' ? (
            <Trans>{order.installments} installments</Trans>
          ) : (
            <Trans>In full</Trans>
          )}
        </Row>
      </dl>
      <Amounts order={order} />
    </article>
  );
}

function Amounts({ order }: { order: Order }) {
  const { original, discount, total, discountCode } = order;
  const interest = total.amount - (original.amount - discount.amount);
  return (
    <dl className={styles.amounts}>
      <Amount label={<Trans>Plan price</Trans>} money={original} />
      {discount.amount > 0 ? (
        <Amount
          label={discountCode === null ? <Trans>Discount</Trans> : <Trans>Discount ({discountCode})</Trans>}
          money={{ ...discount, amount: -discount.amount }}
        />
      ) : null}
      {interest > 0 ? <Amount label={<Trans>Interest</Trans>} money={{ ...total, amount: interest }} /> : null}
      <Amount label={<Trans>Total paid</Trans>} money={total} total />
    </dl>
  );
}

function Account() {
  const user = useSession();
  return user ? <Row label={<Trans>Account</Trans>}>{user.account}</Row> : null;
}

function Row({ label, total = false, children }: { label: ReactNode; total?: boolean; children: ReactNode }) {
  return (
    <div className={total ? `${styles.row} ${styles.total}` : styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Amount({ label, money, total = false }: { label: ReactNode; money: Money; total?: boolean }) {
  const language = useLanguage();
  return (
    <Row label={label} total={total}>
      <MoneyText money={money} language={language} />
    </Row>
  );
}
