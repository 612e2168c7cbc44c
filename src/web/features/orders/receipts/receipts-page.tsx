import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useState } from 'react';
import { orderNumber } from '#contract/mask.ts';
import type { Order } from '#contract/order.ts';
import { mailReceipt } from '#contract/receipts.ts';
import { OrderNumber } from '#web/domain/payments/period-text.tsx';
import { formatPaymentMethod } from '#web/domain/payments/payer/card-brand.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { ConfirmedEmptyList } from '#web/domain/payments/access-text.tsx';
import { OrderMailButton } from '#web/domain/payments/order-mail-button.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ReceiptText } from '#web/ui/icon.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { byYear, receiptsQuery } from './receipt-list.ts';
import styles from './receipts.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** /receipts: all receipts by year of payment; each can be opened, printed and emailed. */
export function ReceiptsPage() {
  return (
    <CustomerArea title={<Trans>Receipts</Trans>} below="/account" meanwhile={<ReceiptsSkeleton />}>
      <Receipts />
    </CustomerArea>
  );
}

function Receipts() {
  const [pages, setPages] = useState(1);
  const results = useQueries({
    queries: Array.from({ length: pages }, (_, index) => receiptsQuery(index + 1)),
  });
  const [first] = results;
  const retry = () => results.forEach((result) => result.error && void result.refetch());
  const error = results.find((result) => result.error)?.error ?? null;
  if (!first?.data) return error ? <LoadFailed error={error} onRetry={retry} /> : <ReceiptsSkeleton />;
  const items = results.flatMap(({ data }) => data?.items ?? []);
  if (items.length === 0) {
    return (
      <ConfirmedEmptyList error={error} readAt={first.dataUpdatedAt} onRetry={retry} asking={<ReceiptsSkeleton />}>
        <NoReceipts />
      </ConfirmedEmptyList>
    );
  }
  const more = items.length < first.data.total;
  return (
    <>
      <SavedStamp error={error} readAt={first.dataUpdatedAt} fillsGap />
      {byYear(items).map(({ year, orders }) => (
        <YearSection key={year} year={year} orders={orders} />
      ))}
      {more ? (
        <div>
          <Button variant="secondary" busy={results.at(-1)?.isPending ?? false} onClick={() => setPages(pages + 1)}>
            <Trans>Show more</Trans>
          </Button>
        </div>
      ) : null}
    </>
  );
}

function YearSection({ year, orders }: { year: number; orders: readonly Order[] }) {
  return (
    <section className={styles.year} aria-labelledby={`receipts-of-${year}`}>
      <h2 className={styles.title} id={`receipts-of-${year}`}>
        {year}
      </h2>
      <Card className={styles.card}>
        <ul className={styles.list}>
          {orders.map((order) => (
            <Receipt key={order.orderId} order={order} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Receipt({ order }: { order: Order }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { orderId, planName, paidAt, date, total } = order;
  return (
    <li className={styles.receipt}>
      <strong className={styles.plan} translate="no">
        {planName}
      </strong>
      <span className={styles.total}>
        <MoneyText money={total} language={language} />
      </span>
      <p className={styles.facts}>
        <span>{`${dayText(i18n, paidAt ?? date, 'medium')}${dot}${formatPaymentMethod(order)}`}</span>
        <span className={styles.number} translate="no">
          <OrderNumber orderId={orderId} />
        </span>
      </p>
      <div className={styles.actions}>
        <Link to="/receipt" search={{ orderId }} className={buttonClass({ variant: 'secondary' })}>
          <ReceiptText aria-hidden />
          <Trans>Open and print</Trans>
          <span className="sr-only">{orderNumber(orderId)}</span>
        </Link>
        <OrderMailButton endpoint={mailReceipt} orderId={orderId} className={styles.said}>
          <Trans>Email it to me</Trans>
        </OrderMailButton>
      </div>
    </li>
  );
}

function NoReceipts() {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>You have no receipts yet</Trans>}
      action={
        <Link to="/pricing-table" className={buttonClass()}>
          <Trans>See plans</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Your receipt appears once the payment arrives.</Trans>
      </p>
    </StatePage>
  );
}

function ReceiptsSkeleton() {
  return (
    <div className={styles.year} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton height={120} />
      <Skeleton height={120} />
    </div>
  );
}
