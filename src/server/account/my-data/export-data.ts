import type * as contract from '#contract/my-data.ts';
import { assertConfirmed } from '#server/auth/confirm-owner.ts';
import type { Deps } from '#server/deps.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { ownerOf, personalTables, shownColumns } from './personal-tables.ts';
import { supportedLanguage } from '#server/auth/signup.ts';
import { dayInZone, timeZoneOf } from '#server/brand/time-zone.ts';
import type { WithTimeZone } from '#server/brand/i18n.ts';
import { and, asc, eq, gt, isNotNull, or } from 'drizzle-orm';
import { html } from 'hono/html';
import type { Language } from '#contract/fields.ts';
import { receiptsPerRequest } from '#contract/my-data.ts';
import { refundedAmountsOf } from '#server/billing/ledger-entries.ts';
import { buyerOf } from '#server/billing/check-payer.ts';
import { invoicesOf } from '#server/billing/invoices/issue-invoices.ts';
import { buildReceipt } from '#server/billing/receipt-rows.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';

const dayMs = 24 * 60 * 60_000;
const exportsADay = { tries: 10, windowMs: dayMs };
/** Pages of receipts; a download needs one for each fifty receipts. */
const receiptPagesADay = { tries: 400, windowMs: dayMs };
/** More rows of one kind than any customer has. */
const mostRows = 20_000;

async function countExport(
  { deps, brand, user, refuse }: CustomerContext<'tooFrequent'>,
  what: string,
  limit: typeof exportsADay,
): Promise<void> {
  const taken = await countTry(deps.db, `${what} ${brand.code} ${user.uid}`, limit, deps.clock());
  if (!taken.allowed) return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
}

type PersonalData = Record<string, Record<string, unknown>[]>;

/**
 * All stored data of a customer that may be shown, table by table, so that no statement reads more than one of them.
 */
export async function personalDataOf(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  user: Parameters<typeof ownerOf>[0],
): Promise<PersonalData> {
  const owner = ownerOf(user);
  const data: PersonalData = {};
  for (const [name, personal] of Object.entries(personalTables)) {
    if (personal.hidden === 'all') continue;
    const rows: Record<string, unknown>[] = await db
      .select(shownColumns(personal))
      .from(personal.table)
      .where(personal.isOwnedBy(owner))
      .limit(mostRows);
    data[name] = rows.map((row) => personal.readable?.(row, owner, env) ?? row);
  }
  return data;
}

export const exportData: Handler<typeof contract.exportData> = async ({ body }, context) => {
  assertConfirmed(context, 'data', body.confirmation);
  await countExport(context, 'data export', exportsADay);
  const { deps, brand, user } = context;
  return { brand: brand.name, exportedAt: deps.clock(), data: await personalDataOf(deps, user) };
};

export const exportReceipts: Handler<typeof contract.exportReceipts> = async ({ body }, context) => {
  assertConfirmed(context, 'data', body.confirmation);
  await countExport(context, 'receipt pages', receiptPagesADay);
  return findReceipts(context, { after: body.after, language: supportedLanguage(context.brand, body.language) });
};

interface Page {
  /** the last receipt of the previous page: time of payment and order */
  readonly after: string | null;
  readonly language: Language;
}

/** One page of the customer's receipts, by the index of paid orders. */
async function findReceipts(
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
    .limit(receiptsPerRequest);
  const last = rows.length === receiptsPerRequest ? rows.at(-1) : undefined;
  const receipts: { name: string; html: string }[] = [];
  for (const order of rows) {
    const refunds = await refundedAmountsOf(deps.db, order);
    const paid = { order, refunds, invoices: await invoicesOf(deps.db, order) };
    receipts.push({ name: nameOf(context.brand, order), html: receiptHtml(context, paid, language) });
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
  paid: Parameters<typeof buildReceipt>[1],
  language: Language,
) {
  const buyer = buyerOf(deps.env, paid.order);
  const paper = buildReceipt({ brand, account: user.account, buyer }, paid, language);
  return textOfMarkup(html`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${paper.title} ${paid.order.orderId}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:640px;margin:32px auto;padding:0 16px;color:#16161a}h1{font-size:24px}dl{display:grid;grid-template-columns:auto 1fr;gap:8px 24px}dt,.seller{color:#5c5c66}dd{margin:0;text-align:right;overflow-wrap:anywhere}dl+dl{border-top:1px solid #ccc;padding-top:16px}dl+dl:not(.taxes) :is(dt,dd):nth-last-child(-n+2){font-weight:700;color:inherit}</style>
<p><b>${paper.brand}</b></p><h1>${paper.title}</h1><p class="seller">${paper.seller.map((words) => html`${words}<br>`)}</p><dl>${paper.rows.map(line)}</dl><dl>${paper.amounts.map(line)}</dl>${paper.taxes.length > 0 ? html`<dl class="taxes">${paper.taxes.map(line)}</dl>` : ''}</html>`);
}

const line = ([label, value]: readonly [string, string]): Markup => html`<dt>${label}</dt><dd>${value}</dd>`;
