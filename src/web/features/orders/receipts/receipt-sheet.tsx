import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Seller } from '#contract/brand.ts';
import type { Result } from '#contract/endpoint.ts';
import type { Order } from '#contract/order.ts';
import { formatInstallments } from '#contract/installment-parts.ts';
import type { Money } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import type { Buyer, Invoice, RefundedAmount, receiptParties } from '#contract/receipts.ts';
import { formatTaxId } from '#contract/tax-id.ts';
import { taxLabel } from '#contract/tax-label.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { formatPaymentMethod } from '#web/domain/payments/payer/card-brand.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { DateText, OrderNumber } from '#web/domain/payments/period-text.tsx';
import { orderStatusLabel } from '#web/domain/payments/status-label.ts';
import { useSession } from '#web/platform/session/session.ts';
import { FactRow } from '#web/ui/fact-row.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { receiptTitle } from './receipt-text.ts';
import styles from './receipt.module.css';
import type { Elements } from '#web/ui/elements.ts';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

interface ReceiptSheetProps {
  order: Order;
  serviceStart: number | null;
  serviceEnd: number | null;
  /** undefined while loading, and offline */
  parties: Result<typeof receiptParties> | undefined;
  /** changes of the days */
  children?: Elements;
}

/** The receipt: seller, order, lines, total. */
export function ReceiptSheet({ order, serviceStart, serviceEnd, parties, children }: ReceiptSheetProps) {
  const { i18n } = useLingui();
  const day = (instant: number) => dayText(i18n, instant);
  const invoices = parties?.invoices ?? [];
  const invoice = invoices.find(({ kind }) => kind === 'invoice');
  return (
    <article className={styles.sheet}>
      <Head order={order} parties={parties} />
      <dl className={styles.rows}>
        {invoice ? <InvoiceNumber number={invoice.number} /> : null}
        <FactRow label={<Trans>Order</Trans>} long>
          <span className={styles.number} translate="no">
            <OrderNumber orderId={order.orderId} />
          </span>
        </FactRow>
        <FactRow label={<Trans>Date</Trans>}>{day(order.paidAt ?? order.date)}</FactRow>
        {parties?.buyer ? <BoughtBy buyer={parties.buyer} /> : null}
        <Account />
        <FactRow label={<Trans>Plan</Trans>}>
          <Untranslated text={order.planName} />
        </FactRow>
        <Validity from={serviceStart} until={serviceEnd} />
        <PaidBy order={order} />
      </dl>
      {children}
      <Amounts order={order} refunds={parties?.refunds ?? []} />
      {invoices.map((one) => (
        <Taxes key={one.number} invoice={one} />
      ))}
    </article>
  );
}

function Head({ order, parties }: Pick<ReceiptSheetProps, 'order' | 'parties'>) {
  const { i18n } = useLingui();
  const { theme } = useBrand();
  const { label, tone } = orderStatusLabel(order);
  return (
    <header className={styles.head}>
      <div className={styles.parties}>
        <p className={styles.brand} translate="no">
          {theme.name}
        </p>
        <h1 className={styles.title}>{i18n._(receiptTitle(parties))}</h1>
        {parties?.seller ? <SoldBy seller={parties.seller} /> : null}
      </div>
      <p className={styles.state}>
        <Pill tone={tone}>{i18n._(label)}</Pill>
      </p>
    </header>
  );
}

function InvoiceNumber({ number }: { number: string }) {
  return (
    <FactRow label={<Trans>Invoice number</Trans>} long>
      <span translate="no">{number}</span>
    </FactRow>
  );
}

/** The seller, as it was on the day of the payment. */
function SoldBy({ seller: { legalName, taxNumber, address, country } }: { seller: Seller }) {
  const label = taxLabel(taxNumber ?? '', country);
  return (
    <p className={styles.seller}>
      <strong>{legalName}</strong>
      {taxNumber === undefined ? null : (
        <span>{label === undefined ? <Trans>Tax number: {taxNumber}</Trans> : `${label}: ${taxNumber}`}</span>
      )}
      {address === undefined ? null : <span translate="no">{address}</span>}
    </p>
  );
}

/** The buyer's data, as far as it is known. */
function BoughtBy({ buyer: { name, document } }: { buyer: Buyer }) {
  const label = taxLabel(formatTaxId(document ?? ''));
  return (
    <>
      {name === null ? null : <FactRow label={<Trans>Customer</Trans>}>{name}</FactRow>}
      {document === null ? null : (
        <FactRow
          label={label === undefined ? <Trans>Customer tax number</Trans> : <Trans>Customer {label}</Trans>}
          long
        >
          <span className={styles.taxId}>{formatTaxId(document)}</span>
        </FactRow>
      )}
    </>
  );
}

function PaidBy({ order }: { order: Order }) {
  const language = useLanguage();
  const { installments: count, total, renewal } = order;
  return (
    <>
      <FactRow label={<Trans>Payment method</Trans>} long>
        {formatPaymentMethod(order)}
      </FactRow>
      <FactRow label={<Trans>Payment type</Trans>} long>
        {count > 1 ? <span>{formatInstallments({ count, total }, language)}</span> : <Trans>In full</Trans>}
        {renewal ? (
          <>
            <span>{dot}</span>
            <Trans>Renewal</Trans>
          </>
        ) : null}
      </FactRow>
    </>
  );
}

function Amounts({ order, refunds }: { order: Order; refunds: readonly RefundedAmount[] }) {
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
      {refunds.map(({ at, amount }) => (
        <Amount key={at} label={<RefundedOn at={at} />} money={{ ...amount, amount: -amount.amount }} />
      ))}
    </dl>
  );
}

/** The tax that the total includes, or a credit note and its tax. */
function Taxes({ invoice: { kind, number, issuedAt, gross, net, tax, taxName, rate } }: { invoice: Invoice }) {
  const isCredit = kind === 'creditNote';
  if (!isCredit && rate === null) return null;
  return (
    <dl className={styles.amounts}>
      {isCredit ? <Amount label={<CreditNote number={number} at={issuedAt} />} money={gross} /> : null}
      {rate === null ? null : <Amount label={<IncludedTax name={taxName} rate={rate} />} money={tax} />}
      {isCredit ? null : <Amount label={<Trans>Net amount</Trans>} money={net} />}
    </dl>
  );
}

function CreditNote({ number: text, at }: { number: string; at: number }) {
  const number = (
    <span className={styles.taxId} translate="no">
      {text}
    </span>
  );
  const day = <DateText at={at} short />;
  return (
    <Trans>
      Credit note {number} of {day}
    </Trans>
  );
}

function IncludedTax({ name, rate }: { name: string | null; rate: number }) {
  const tax = `${formatPercent(rate, useLanguage(), 3)} ${name ?? ''}`;
  return <Trans>Includes {tax}</Trans>;
}

function RefundedOn({ at }: { at: number }) {
  const day = <DateText at={at} short />;
  return <Trans>Refunded on {day}</Trans>;
}

function Account() {
  const user = useSession();
  if (!user) return null;
  return (
    <FactRow label={<Trans>Account</Trans>} long>
      <AccountName account={user.account} />
    </FactRow>
  );
}

function Amount({ label, money, total = false }: { label: ReactNode; money: Money; total?: boolean }) {
  const language = useLanguage();
  return (
    <FactRow label={label} long={total} className={total ? styles.total : undefined}>
      <MoneyText money={money} language={language} />
    </FactRow>
  );
}

function Validity({ from, until }: { from: number | null; until: number | null }) {
  const { i18n } = useLingui();
  if (from === null || until === null) return null;
  const day = (instant: number) => dayText(i18n, instant);
  return (
    <FactRow label={<Trans>Valid</Trans>} long>
      <span className={styles.day}>{`${day(from)} –`}</span>
      <span> </span>
      <span className={styles.day}>{day(until)}</span>
    </FactRow>
  );
}
