import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { NextStep } from '#contract/next-step.ts';
import type { CloudConfig, SiteConfig } from '#contract/brand.ts';
import type { Language } from '#contract/fields.ts';
import type { StoredDocument } from '../stored-document.ts';
import type { PayerField } from '#contract/billing.ts';
import { bytes, type Texts } from './columns.ts';

/** What only some methods need. */
export interface MethodDetails {
  /** country code of the payer's number, by currency */
  readonly diallingCodes?: Readonly<Record<string, string>>;
  /** the method by its provider's own name: Payssion's `pm_id`, UseePay's `paymentMethod` */
  readonly pmId?: string;
  /** whom a transfer goes to; without it nothing can be received (`noReceivingAccount`) */
  readonly receiver?: {
    readonly name: string;
    readonly account: string;
    /** within how many hours its people usually look at a proof */
    readonly checkedWithinHours?: number;
  };
}

/** Addresses that receive operator alerts. */
export interface BrandAlerts {
  readonly email: string;
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
  /** what comes with every account; null where the brand has none */
  cloud: jsonb().$type<CloudConfig>(),
  /** where finders of weaknesses write to (RFC 9116), as an address that starts with mailto:, https: or tel: */
  securityContact: text('security_contact'),
  /** where the shop reports what its operator should look at; null where nothing is sent */
  alerts: jsonb().$type<BrandAlerts>(),
  /** belongs to the demonstration: served only where the sandbox is on, because nothing of it is real */
  demo: boolean().notNull().default(false),
});

/** Exact host names, lower case, without a port: a brand is the same at every port. `*` never. */
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
    /** whether it may renew by itself */
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
    /** what comes after pay */
    flow: text().$type<NextStep['type']>().notNull().default('none'),
    maxInstallments: integer('max_installments').notNull().default(1),
    /** installments without interest, up to this many */
    interestFreeUpTo: integer('interest_free_up_to').notNull().default(1),
    /** interest a month in hundredths of a percent: 199 is 1.99 % */
    interestBasisPoints: integer('interest_basis_points').notNull().default(0),
    /** offers to keep a new card for the next purchase */
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

/** Words that a brand says its own way, by message id. */
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
 * Pictures that a brand brings: icons that are made from its logo, and what else its folder has. They are read one by one,
 * never with the catalogue, and from here, so that every process behind a CDN gives out the same.
 */
export const brandPictures = pgTable(
  'brand_pictures',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    /** its address, such as `/icons/acme/icon-192.png` */
    path: text().notNull(),
    type: text().notNull(),
    /** SHA-256, base64url */
    hash: text().notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.path] })],
);
