import { dayInZone, timeZoneOf } from '#server/brand/time-zone.ts';
import type { WithTimeZone } from '#server/brand/i18n.ts';
import { and, asc, eq, gt, isNotNull, or } from 'drizzle-orm';
import { html } from 'hono/html';
import type { Language } from '#contract/fields.ts';
import { receiptsAtOnce } from '#contract/my-data.ts';
import { refundedAmountsOf } from '#server/billing/books.ts';
import { buyerOf } from '#server/billing/buyer.ts';
import { receiptPaper } from '#server/billing/receipt-rows.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';

interface Page {
  /** the last receipt of the previous page: time of payment and order */
  readonly after: string | null;
  readonly language: Language;
}

/** One page of the customer's receipts, by the index of paid orders. */
export async function findReceipts(
  context: CustomerContext,
  { after, language }: Page,
): Promise<{ receipts: { name: string; html: string }[]; next: string | null }> {
  const { deps, brand, user } = context;
  const [paidAt = '0', orderId = ''] = (after ?? '').split('-');
  const rows = await deps.db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.brand, brand.code),
        eq(orders.uid, user.uid),
        isNotNull(orders.paidAt),
        or(gt(orders.paidAt, Number(paidAt)), and(eq(orders.paidAt, Number(paidAt)), gt(orders.orderId, orderId))),
      ),
    )
    .orderBy(asc(orders.paidAt), asc(orders.orderId))
    .limit(receiptsAtOnce);
  const last = rows.length === receiptsAtOnce ? rows.at(-1) : undefined;
  const receipts: { name: string; html: string }[] = [];
  for (const order of rows) {
    const refunds = await refundedAmountsOf(deps.db, order);
    receipts.push({ name: nameOf(context.brand, order), html: receiptHtml(context, { order, refunds }, language) });
  }
  return {
    receipts,
    next: last ? `${last.paidAt}-${last.orderId}` : null,
  };
}

/** File names sort by day. */
const nameOf = ({ config }: WithTimeZone, { paidAt, orderId }: OrderRow) =>
  `${dayInZone(paidAt ?? 0, timeZoneOf(config))} ${orderId}.html`;

/** A receipt as a self-contained HTML page. */
function receiptHtml(
  { brand, user, deps }: Pick<CustomerContext, 'brand' | 'user' | 'deps'>,
  paid: Parameters<typeof receiptPaper>[1],
  language: Language,
) {
  const buyer = buyerOf(deps.env, paid.order);
  const paper = receiptPaper({ brand, account: user.account, buyer }, paid, language);
  return textOfMarkup(html`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${paper.title} ${paid.order.orderId}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:640px;margin:32px auto;padding:0 16px;color:#16161a}h1{font-size:24px}dl{display:grid;grid-template-columns:auto 1fr;gap:8px 24px}dt,.seller{color:#5c5c66}dd{margin:0;text-align:right;overflow-wrap:anywhere}dl+dl{border-top:1px solid #ccc;padding-top:16px}dl+dl :is(dt,dd):nth-last-child(-n+2){font-weight:700;color:inherit}</style>
<p><b>${paper.brand}</b></p><h1>${paper.title}</h1><p class="seller">${paper.seller.map((words) => html`${words}<br>`)}</p><dl>${paper.rows.map(line)}</dl><dl>${paper.amounts.map(line)}</dl></html>`);
}

const line = ([label, value]: readonly [string, string]): Markup => html`<dt>${label}</dt><dd>${value}</dd>`;
