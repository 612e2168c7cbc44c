import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Result } from '#contract/endpoint.ts';
import { formatMoney } from '#contract/money.ts';
import type { Order } from '#contract/order.ts';
import type { receiptParties } from '#contract/receipts.ts';
import { formatPaymentMethod } from '#web/domain/payments/payer/card-brand.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** What the paper is called, on the page and in the PDF: with an invoice number it is an invoice. */
export const receiptTitle = (parties: Pick<Result<typeof receiptParties>, 'invoices'> | undefined): MessageDescriptor =>
  parties?.invoices.some(({ kind }) => kind === 'invoice') ? msg`Invoice` : msg`Receipt`;

/** Shows the title in the tab, from which a browser names the printed file. The route has no invoice yet. */
export function useTabTitle(title: MessageDescriptor): void {
  const { i18n } = useLingui();
  const { name } = useBrand().theme;
  const { subscribe } = useRouter();
  const text = `${i18n._(title)} · ${name}`;
  useEffect(() => {
    const show = () => void (document.title = text);
    show();
    // a navigation that ends later shows the title of the route
    return subscribe('onResolved', show);
  }, [text, subscribe]);
}

export interface Receipt {
  readonly title: MessageDescriptor;
  readonly order: Order;
  readonly serviceStart: number | null;
  readonly serviceEnd: number | null;
  /** name of the shop */
  readonly seller: string;
}

/** The receipt as plain text for sharing: what was bought, and not by whom. */
export function receiptText(i18n: I18n, { title, order, serviceStart, serviceEnd, seller }: Receipt): string {
  const day = (instant: number) => dayText(i18n, instant);
  const line = (label: MessageDescriptor, value: string) => `${i18n._(label)}: ${value}`;
  const lasts = serviceStart !== null && serviceEnd !== null;
  return [
    `${seller} · ${i18n._(title)}`,
    line(msg`Order`, order.orderId),
    line(msg`Date`, day(order.paidAt ?? order.date)),
    line(msg`Plan`, order.planName),
    ...(lasts ? [line(msg`Valid`, `${day(serviceStart)} – ${day(serviceEnd)}`)] : []),
    line(msg`Payment method`, formatPaymentMethod(order)),
    line(msg`Total paid`, formatMoney(order.total, i18n.locale)),
  ].join('\n');
}
