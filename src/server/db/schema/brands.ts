import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { NextStep } from '#contract/next-step.ts';
import type { SiteConfig } from '#contract/brand.ts';
import type { CloudConfig } from '#contract/site.ts';
import type { Language } from '#contract/fields.ts';
import type { StoredDocument } from '../connect.ts';
import type { PayerField } from '#contract/payer.ts';
import { bytes, type Texts } from './columns.ts';
import type { WebhookEventType } from './webhooks.ts';

/** Details that only some methods have. */
export interface MethodDetails {
  /** country code of the payer's number, by currency */
  readonly diallingCodes?: Readonly<Record<string, string>>;
  /** the provider's own name of the method: Payssion's `pm_id`, UseePay's `paymentMethod` */
  readonly pmId?: string;
  /** the recipient of transfers; without it no transfer is possible (`noReceivingAccount`) */
  readonly receiver?: {
    readonly name: string;
    readonly account: string;
    /** within how many hours staff usually check a proof */
    readonly checkedWithinHours?: number;
  };
}

/** Where operator alerts go; one of them at least. */
export interface BrandAlerts {
  readonly email?: string | undefined;
  readonly webhook?: string | undefined;
}

/** An address that is told about events; about all of them unless some are named. */
export interface BrandWebhook {
  readonly url: string;
  readonly events?: readonly WebhookEventType[] | undefined;
}

/** How a brand numbers its invoices, and the tax that its prices include. */
export interface InvoiceSettings {
  /** the beginning of every number, such as LUM in LUM-2026-000001 */
  readonly prefix: string;
  /** ISO 3166-1; the country of a sale whose payment does not name one */
  readonly country: string;
  /** by country; `default` for all others. A country without a row has no tax. */
  readonly tax: Readonly<Record<string, { readonly name: string; /** per cent */ readonly rate: number }>>;
}

/** amounts in minor units by currency */
export type Prices = Record<string, number>;

export const brands = pgTable('brands', {
  code: text().primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text().notNull(),
  themeColor: text('theme_color').notNull(),
  /** scheme and host of the storefront, for links in mail */
  origin: text().notNull(),
  currencies: jsonb().$type<string[]>().notNull(),
  config: jsonb().$type<SiteConfig>().notNull(),
  /** the cloud service of every account; null where the brand has none */
  cloud: jsonb().$type<CloudConfig>(),
  /** the contact for security researchers (RFC 9116), as an address that starts with mailto:, https: or tel: */
  securityContact: text('security_contact'),
  /** the sender of its mail; null for MAIL_FROM */
  mailFrom: text('mail_from'),
  /** where alerts for the operator are sent; null to send none */
  alerts: jsonb().$type<BrandAlerts>(),
  /** the operator's own systems that are told about events; null for none */
  webhooks: jsonb().$type<readonly BrandWebhook[]>(),
  /** null for a brand without invoices */
  invoices: jsonb().$type<InvoiceSettings>(),
  /** belongs to the demo: served only where the sandbox is on */
  demo: boolean().notNull().default(false),
});

/** Exact host names, lower case, without a port: a brand is the same at every port. `*` is not allowed. */
export const brandHosts = pgTable('brand_hosts', {
  host: text().primaryKey(),
  brand: text()
    .notNull()
    .references(() => brands.code),
});

export const plans = pgTable(
  'plans',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    id: text().notNull(),
    days: integer().notNull(),
    devices: integer().notNull(),
    prices: jsonb().$type<Prices>().notNull(),
    listPrices: jsonb('list_prices').$type<Prices>().notNull().default({}),
    texts: jsonb().$type<Texts<{ name: string; description: string; features: string[] }>>().notNull(),
    recommended: boolean().notNull().default(false),
    position: integer().notNull(),
    active: boolean().notNull().default(true),
    /** whether it may renew automatically */
    renews: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.brand, table.id] })],
);

export const paymentMethods = pgTable(
  'payment_methods',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    code: text().notNull(),
    /** the adapter under payments/ that serves it */
    gateway: text().notNull(),
    names: jsonb().$type<Texts<string>>().notNull(),
    icon: text().notNull(),
    /** percent off */
    discount: integer().notNull().default(0),
    currencies: jsonb().$type<string[]>().notNull(),
    fields: jsonb().$type<PayerField[]>().notNull(),
    settles: text().$type<'instant' | 'minutes' | 'days'>().notNull(),
    /** the type of the step after paying */
    flow: text().$type<NextStep['type']>().notNull().default('none'),
    maxInstallments: integer('max_installments').notNull().default(1),
    /** installments without interest, up to this many */
    interestFreeUpTo: integer('interest_free_up_to').notNull().default(1),
    /** monthly interest in hundredths of a percent: 199 is 1.99 % */
    interestBasisPoints: integer('interest_basis_points').notNull().default(0),
    /** offers to save a new card for the next purchase */
    savesCard: boolean('saves_card').notNull().default(false),
    details: jsonb().$type<MethodDetails>().notNull().default({}),
    position: integer().notNull(),
    active: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.brand, table.code] })],
);

export const documents = pgTable(
  'documents',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    type: text().notNull(),
    language: text().$type<Language>().notNull(),
    content: jsonb().$type<StoredDocument>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.type, table.language] })],
);

export const banners = pgTable('banners', {
  id: text().primaryKey(),
  brand: text()
    .notNull()
    .references(() => brands.code),
  texts: jsonb().$type<Texts<string>>().notNull(),
  link: text(),
  position: integer().notNull(),
});

/** Texts that a brand replaces with its own, by message id. */
export const wordings = pgTable(
  'wordings',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    language: text().$type<Language>().notNull(),
    messages: jsonb().$type<Record<string, string>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.language] })],
);

/**
 * Images of a brand: icons generated from its logo, and other files of its folder. They are read one by one, never with
 * the catalogue, and from the database, so that every process behind a CDN serves the same bytes.
 */
export const brandPictures = pgTable(
  'brand_pictures',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    /** its URL path, such as `/icons/acme/icon-192.png` */
    path: text().notNull(),
    type: text().notNull(),
    /** SHA-256, base64url */
    hash: text().notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.path] })],
);
