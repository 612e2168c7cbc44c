import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { formatTaxId } from '#contract/tax-id.ts';
import { dayInZone, timeZoneOf } from '#server/brand/time-zone.ts';
import type { InvoiceRow } from '#server/billing/invoices/issue-invoices.ts';
import { issueMissingInvoices } from '#server/billing/invoices/issue-missing.ts';
import { unsealBuyer } from '#server/billing/check-payer.ts';
import { brands } from '#server/db/schema/brands.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { OperatorError, requireOption, type ShopCommand, type ShopContext } from './command.ts';
import { periodOptions, readInParts, rowsAtOnce, spansGiven, type BrandSpan } from './order-list.ts';
import { documentKinds } from './wording.ts';

async function* invoicesWithin({ deps: { db } }: ShopContext, { brand, from, until }: BrandSpan) {
  const { issuedAt, year, sequence } = invoices;
  const wanted = and(eq(invoices.brand, brand.code), gte(issuedAt, from), lt(issuedAt, until));
  const parts = readInParts<InvoiceRow>((last) => {
    const after = last && sql`(${issuedAt}, ${year}, ${sequence}) > (${last.issuedAt}, ${last.year}, ${last.sequence})`;
    return db
      .select()
      .from(invoices)
      .where(and(wanted, after))
      .orderBy(asc(issuedAt), asc(year), asc(sequence))
      .limit(rowsAtOnce);
  });
  for await (const rows of parts) yield* rows;
}

function factsOf({ deps: { env } }: ShopContext, invoice: InvoiceRow, timeZone: string) {
  const { currency, buyerSealed, rate } = invoice;
  const money = (amount: number) => ({ amount, currency });
  const buyer = buyerSealed === null ? undefined : unsealBuyer(env, invoice, buyerSealed);
  return {
    brand: invoice.brand,
    number: invoice.number,
    kind: documentKinds[invoice.kind],
    issued: dayInZone(invoice.issuedAt, timeZone),
    orderId: invoice.orderId,
    country: invoice.country,
    gross: money(invoice.gross),
    net: money(invoice.net),
    tax: money(invoice.tax),
    taxName: invoice.taxName,
    ratePercent: rate === null ? null : rate / 1000,
    buyerTaxNumber: buyer?.document ? formatTaxId(buyer.document) : null,
    corrects: invoice.corrects,
    buyerName: buyer?.name ?? null,
  };
}

/** Invoices and credit notes line by line, for a tax adviser. Amounts of credit notes are negative. */
export const listInvoicesCommand: ShopCommand = {
  name: 'invoices list',
  summary: 'lists the invoices and credit notes of some days, of each brand the oldest first',
  options: periodOptions,
  inShop: async (given, shop) => {
    let isEmpty = true;
    for (const span of spansGiven(given, shop)) {
      const timeZone = timeZoneOf(span.brand.config);
      for await (const invoice of invoicesWithin(shop, span)) {
        shop.row(factsOf(shop, invoice, timeZone));
        isEmpty = false;
      }
    }
    if (isEmpty) shop.explain('No invoices in this period.');
  },
};

/** What a rollback, or the time before the brand had invoices, left without a document. Repeating it issues nothing. */
export const issueInvoicesCommand: ShopCommand = {
  name: 'invoices issue',
  summary: 'issues, with the date of today, the invoices and credit notes that are missing for some days',
  options: { ...periodOptions, brand: { ...periodOptions.brand, required: true }, ...auditOptions },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    requireOption(given, 'brand');
    const [span] = spansGiven(given, shop);
    if (!span) throw new OperatorError('There is no such brand.');
    const { brand, from, until } = span;
    const [row] = await deps.db.select({ settings: brands.invoices }).from(brands).where(eq(brands.code, brand.code));
    if (!row?.settings) throw new OperatorError(`${brand.name} issues no invoices: brand.yaml has no \`invoices\`.`);
    const entry = { command: 'invoices issue', brand: brand.code, subject: brand.code, detail: { from, until } };
    await writeAudit(deps.db, given, entry, deps);
    const issued = await issueMissingInvoices(deps, { brand: brand.code, from, until });
    done(issued === 1 ? '1 document was missing and is issued.' : `${issued} documents were missing and are issued.`, {
      brand: brand.code,
      issued,
    });
  },
};

export const showInvoiceCommand: ShopCommand = {
  name: 'invoices show',
  summary: 'shows an invoice or credit note with its seller, its buyer and its corrections',
  words: ['number'],
  options: {},
  inShop: async (given, shop) => {
    const { deps, show } = shop;
    const number = requireOption(given, 'number').toUpperCase();
    const [invoice] = await deps.db.select().from(invoices).where(eq(invoices.number, number));
    if (!invoice) throw new OperatorError(`There is no invoice ${number}.`);
    const { config } = deps.catalog.byCode(invoice.brand) ?? {};
    const timeZone = config ? timeZoneOf(config) : 'UTC';
    const corrections = await deps.db
      .select()
      .from(invoices)
      .where(eq(invoices.corrects, invoice.number))
      .orderBy(asc(invoices.issuedAt), asc(invoices.sequence));
    const { seller, buyerSealed } = invoice;
    const buyer = buyerSealed === null ? null : unsealBuyer(deps.env, invoice, buyerSealed);
    show({
      ...factsOf(shop, invoice, timeZone),
      uid: invoice.uid,
      buyerName: buyer?.name ?? null,
      sellerName: seller?.legalName ?? null,
      sellerTaxNumber: seller?.taxNumber ?? null,
      sellerAddress: seller?.address ?? null,
      creditNotes: corrections.map((one) => {
        const { number: creditNote, issued, gross, net, tax } = factsOf(shop, one, timeZone);
        return { number: creditNote, issued, gross, net, tax };
      }),
    });
  },
};
