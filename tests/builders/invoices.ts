import { asc, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { brands, type InvoiceSettings } from '#server/db/schema/brands.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import type { NoticePart } from '#server/payments/gateway.ts';
import { aNotice, sendNotice } from './a-notice.ts';
import type { Buyer, Shop, Wish } from './a-shop.ts';

export const invoiceSettings: InvoiceSettings = {
  prefix: 'LUM',
  country: 'US',
  tax: { BR: { name: 'ISS', rate: 5 }, default: { name: 'VAT', rate: 19 } },
};

/** Writes the settings of a brand's invoices, as `brand apply` does; null removes them. */
export async function setInvoices(db: Database, settings: InvoiceSettings | null, code = 'lumen'): Promise<void> {
  await db.update(brands).set({ invoices: settings }).where(eq(brands.code, code));
}

/** The invoices and credit notes of a brand in the order of their numbers. */
export const issuedBy = (db: Database, brand = 'lumen') =>
  db.select().from(invoices).where(eq(invoices.brand, brand)).orderBy(asc(invoices.year), asc(invoices.sequence));

export interface Payment {
  readonly orderId: string;
  readonly key: string;
  /** sends a notice of the bank about it, such as `refund succeeded`, or about a part of it; returns the HTTP status */
  tell(notice: `${'refund' | 'chargeback'} ${'opened' | 'succeeded' | 'rejected'}`, part?: NoticePart): Promise<number>;
}

/** A paid order of a customer: a month by card for 19.90 by default. */
export async function aPayment(shop: Shop, buyer: Buyer, wish: Wish = {}): Promise<Payment> {
  const { orderId, status } = (await buyer.pay(wish)).data;
  if (status !== 'PAYMENT_SUCCEEDED') throw new Error(`the payment is ${status}`);
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  if (!attempt) throw new Error('nothing was tried');
  const { id: key, amount, currency } = attempt;
  return {
    orderId,
    key,
    tell: async (notice, part) => {
      const [event = '', stage] = notice.split(' ');
      return sendNotice(shop, aNotice(key, { event, stage, amount, currency, ...(part && { part }) }));
    },
  };
}
