import { accountText, orderWithNumber } from '#contract/mask.ts';
import type { I18n } from '@lingui/core';
import type { Language } from '#contract/fields.ts';
import { formatInstallments } from '#contract/installment-parts.ts';
import { formatTaxId } from '#contract/tax-id.ts';
import { taxLabel } from '#contract/tax-label.ts';
import type { Buyer, Invoice, RefundedAmount } from '#contract/receipts.ts';
import { formatMoney } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import type { ReceiptRow as Row, ReceiptContent } from '#server/messages/receipt-pdf.ts';
import { localize } from '#server/site/documents.ts';
import { invoiceView, type InvoiceRow } from './invoices/issue-invoices.ts';

interface PaidOrder {
  readonly order: OrderRow;
  readonly refunds: readonly RefundedAmount[];
  /** the invoice, then its credit notes */
  readonly invoices: readonly InvoiceRow[];
}

/**
 * The contents of a receipt. `recordPayment` writes seller, buyer and card to the order, and the receipt uses that row
 * alone, because tax offices require the facts of the day of payment. With a saved card and for renewals, the buyer is
 * the stored payer or the last named buyer (`findReceiptBuyer`). Deleting the account removes seller and buyer from its
 * rows, and a TV never receives them.
 */
export function buildReceipt(
  { brand, account, buyer }: { readonly brand: Brand; readonly account: string; readonly buyer: Buyer | null },
  { order, refunds, invoices }: PaidOrder,
  language: Language,
): ReceiptContent {
  const i18n = i18nIn(language, brand);
  const name = (texts: OrderRow['planNames']) => localize(texts, language, brand) ?? '';
  const method = name(order.methodNames);
  return {
    brand: brand.name,
    title: titleOf(i18n, invoices),
    seller: sellerLines(i18n, order),
    rows: [
      ...invoices
        .filter(({ kind }) => kind === 'invoice')
        .map(({ number }) => [i18n._({ id: 'receipt.invoice', message: 'Invoice number' }), number] as const),
      [i18n._({ id: 'mail.order.order', message: 'Order' }), orderWithNumber(order.orderId)],
      [
        i18n._({ id: 'mail.receipt.paid', message: 'Paid on' }),
        formatDay(brand, language, order.paidAt ?? order.createdAt),
      ],
      ...buyerRows(i18n, buyer),
      [i18n._({ id: 'receipt.account', message: 'Account' }), accountText(account)],
      [i18n._({ id: 'mail.order.plan', message: 'Plan' }), name(order.planNames)],
      ...validity(i18n, brand, order, language),
      [
        i18n._({ id: 'mail.receipt.method', message: 'Payment method' }),
        order.cardLast4 === null ? method : `${method} •••• ${order.cardLast4}`,
      ],
      ...(order.installments > 1
        ? [[i18n._({ id: 'mail.receipt.installments', message: 'Installments' }), inParts(order, language)] as const]
        : []),
      ...givenBack(i18n, order),
      ...refunds.map((one) => backRow(i18n, brand, one, language)),
    ],
    amounts: amounts(i18n, order, language),
    taxes: invoices.flatMap((invoice) => invoiceRows(i18n, brand, invoiceView(invoice), language)),
  };
}

/** Also the name of the file. A document with an invoice number is an invoice for a tax office. */
function titleOf(i18n: I18n, invoices: PaidOrder['invoices']): string {
  return invoices.some(({ kind }) => kind === 'invoice')
    ? i18n._({ id: 'receipt.invoiceTitle', message: 'Invoice' })
    : i18n._({ id: 'receipt.title', message: 'Receipt' });
}

/** A credit note's number and amount, and what its amount or that of the invoice consists of. */
function invoiceRows(i18n: I18n, brand: Brand, invoice: Invoice, language: Language): Row[] {
  const { kind, number, issuedAt, gross, net, tax, taxName, rate } = invoice;
  const day = formatDay(brand, language, issuedAt);
  const values = { number, day, tax: `${formatPercent(rate ?? 0, language, 3)} ${taxName ?? ''}` };
  const title = i18n._({ id: 'receipt.creditNote', message: 'Credit note {number} of {day}', values });
  const included = i18n._({ id: 'receipt.includedTax', message: 'Includes {tax}', values });
  const without = i18n._({ id: 'receipt.net', message: 'Net amount' });
  const isCredit = kind === 'creditNote';
  return [
    ...(isCredit ? [[title, formatMoney(gross, language)] as const] : []),
    ...(rate === null ? [] : [[included, formatMoney(tax, language)] as const]),
    ...(rate === null || isCredit ? [] : [[without, formatMoney(net, language)] as const]),
  ];
}

const inParts = ({ installments: count, total: amount, currency }: OrderRow, language: Language) =>
  formatInstallments({ count, total: { amount, currency } }, language);

function sellerLines(i18n: I18n, { seller }: OrderRow): string[] {
  if (!seller) return [];
  const { legalName, taxNumber = '', address, country } = seller;
  const label = taxLabel(taxNumber, country) ?? i18n._({ id: 'receipt.taxNumber', message: 'Tax number' });
  return [legalName, ...(taxNumber ? [`${label}: ${taxNumber}`] : []), ...(address ? [address] : [])];
}

function buyerRows(i18n: I18n, buyer: Buyer | null): Row[] {
  if (!buyer) return [];
  const who = i18n._({ id: 'receipt.buyer', message: 'Customer' });
  const label = taxLabel(formatTaxId(buyer.document ?? ''));
  const number =
    label === undefined
      ? i18n._({ id: 'receipt.buyerNumber', message: 'Customer tax number' })
      : i18n._({ id: 'receipt.buyerLabel', message: 'Customer {label}', values: { label } });
  return [
    ...(buyer.name === null ? [] : [[who, buyer.name] as const]),
    ...(buyer.document === null ? [] : [[number, formatTaxId(buyer.document)] as const]),
  ];
}

function validity(i18n: I18n, brand: Brand, { serviceStart, serviceEnd }: OrderRow, language: Language): Row[] {
  if (serviceStart === null || serviceEnd === null) return [];
  const label = i18n._({ id: 'receipt.valid', message: 'Valid' });
  return [[label, `${formatDay(brand, language, serviceStart)} – ${formatDay(brand, language, serviceEnd)}`]];
}

function givenBack(i18n: I18n, { status }: OrderRow): Row[] {
  if (status !== 'REFUND_SUCCEEDED' && status !== 'CHARGEBACK_SUCCEEDED') return [];
  return [
    [i18n._({ id: 'receipt.state', message: 'Status' }), i18n._({ id: 'receipt.refunded', message: 'Refunded' })],
  ];
}

/** A refund is shown above the amounts, so that the total stays the last line and is what was paid. */
function backRow(i18n: I18n, brand: Brand, { at, amount }: RefundedAmount, language: Language): Row {
  const values = { day: formatDay(brand, language, at) };
  return [i18n._({ id: 'receipt.part', message: 'Refunded on {day}', values }), formatMoney(amount, language)];
}

function amounts(
  i18n: I18n,
  { original, discount, total, discountCode, currency }: OrderRow,
  language: Language,
): Row[] {
  const money = (amount: number) => formatMoney({ amount, currency }, language);
  const interest = total - (original - discount);
  const off = i18n._({ id: 'receipt.discount', message: 'Discount' });
  return [
    [i18n._({ id: 'receipt.price', message: 'Plan price' }), money(original)],
    ...(discount > 0 ? [[discountCode === null ? off : `${off} (${discountCode})`, money(-discount)] as const] : []),
    ...(interest > 0 ? [[i18n._({ id: 'receipt.interest', message: 'Interest' }), money(interest)] as const] : []),
    [i18n._({ id: 'mail.order.total', message: 'Total' }), money(total)],
  ];
}
