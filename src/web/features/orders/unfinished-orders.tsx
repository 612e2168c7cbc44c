import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Order } from '../../../contract/order.ts';
import { isOpen } from '../../../contract/order-status.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useLanguage } from '../../i18n/active.ts';
import { OrderActions } from '../../payment-state/order-actions.tsx';
import { orderWords } from '../../payment-state/status-words.ts';
import { Card } from '../../ui/card.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { Pill } from '../../ui/pill.tsx';
import { cartOffers } from './cart.ts';
import { cartQuery } from './orders-queries.ts';
import { ReminderButton } from './reminder-button.tsx';
import styles from './unfinished-orders.module.css';

/** What was begun and not paid, on this phone or on another (spec 4), before everything else. */
export function UnfinishedOrders() {
  const { data } = useQuery(cartQuery);
  const offers = cartOffers(data?.items ?? [], serverNow());
  if (offers.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="unfinished-orders">
      <h2 className={styles.title} id="unfinished-orders">
        <Trans>Waiting for your payment</Trans>
      </h2>
      <ul className={styles.list}>
        {offers.map((order) => (
          <Card key={order.orderId} as="li" tone="soft" className={styles.order}>
            <Unfinished order={order} />
          </Card>
        ))}
      </ul>
    </section>
  );
}

function Unfinished({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { label, tone } = orderWords(order);
  return (
    <>
      <p className={styles.plan}>
        <strong>{order.planName}</strong>
        <MoneyText money={order.total} language={language} />
      </p>
      <Pill tone={tone}>{i18n._(label)}</Pill>
      <div className={styles.facts}>
        <p>
          {order.methodName} · {i18n.date(new Date(order.date), { dateStyle: 'medium' })}
        </p>
        <Until order={order} />
      </div>
      <div className={styles.actions}>
        <OrderActions order={order} />
        {isOpen(order.status) ? <ReminderButton orderId={order.orderId} /> : null}
      </div>
    </>
  );
}

function Until({ order: { expiresAt } }: { order: Order }) {
  const { i18n } = useLingui();
  if (expiresAt === null) return null;
  const time = i18n.date(new Date(expiresAt), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p>{expiresAt > serverNow() ? <Trans>Pay until {time}</Trans> : <Trans>The time to pay ended on {time}</Trans>}</p>
  );
}
