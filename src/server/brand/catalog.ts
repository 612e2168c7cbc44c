import { asc, eq } from 'drizzle-orm';
import type { SiteConfig } from '#contract/brand.ts';
import type { CloudConfig } from '#contract/site.ts';
import type { Language } from '#contract/fields.ts';
import type { Database, StoredDocument } from '#server/db/connect.ts';
import { canonicalHost, canonicalOrigin } from '#server/runtime/service-url.ts';
import type { Logger } from '#server/runtime/log.ts';
import { timeZoneOf } from './time-zone.ts';
import { withPresentDefaults } from './folder/default-rules.ts';
import { unsafeRules } from './phone-rules.ts';
import {
  banners,
  brandHosts,
  brandPictures,
  brands,
  documents,
  paymentMethods,
  plans,
  wordings,
  type BrandAlerts,
  type BrandWebhook,
} from '#server/db/schema/brands.ts';

export type PlanRow = typeof plans.$inferSelect;
export type MethodRow = typeof paymentMethods.$inferSelect;
type BannerRow = typeof banners.$inferSelect;
type BrandRow = typeof brands.$inferSelect;

/** A brand with all that it sells, as cached in memory. Rows are in display order. */
export interface Brand {
  readonly code: string;
  readonly tenantId: string;
  readonly name: string;
  readonly themeColor: string;
  /** scheme and host of the storefront, for links in mail */
  readonly origin: string;
  /** the first is the default */
  readonly currencies: readonly string[];
  readonly config: SiteConfig;
  /** the cloud service of every account, where the brand has one */
  readonly cloud?: CloudConfig | null | undefined;
  /** as stored in the row; see brand-files.ts */
  readonly securityContact?: string | null | undefined;
  /** the sender of its mail, where it has one of its own */
  readonly mailFrom?: string | null | undefined;
  /** where operator alerts go (messages/operator-alerts.ts) */
  readonly alerts?: BrandAlerts | null | undefined;
  /** the operator's systems that are told about events (messages/webhooks/) */
  readonly webhooks?: readonly BrandWebhook[] | null | undefined;
  readonly hosts: readonly string[];
  /** plans that are for sale */
  readonly plans: readonly PlanRow[];
  /** plans that are no longer for sale; customers may still have them */
  readonly retiredPlans: readonly PlanRow[];
  /** active payment methods */
  readonly methods: readonly MethodRow[];
  readonly banners: readonly BannerRow[];
  readonly documents: ReadonlyMap<string, StoredDocument>;
  /** its own images by URL path, each with type and hash; their bytes are read one by one */
  readonly pictures?: ReadonlyMap<string, { readonly type: string; readonly hash: string }>;
  readonly wordings: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;
}

/** All brands in memory, reloaded periodically. No request reads them from the database. */
export interface Catalog {
  /** increases with every change; responses derived from the catalogue are cached by it */
  readonly version: number;
  /** by exact host name without its port, lower case; undefined for an unknown host */
  byHost(host: string): Brand | undefined;
  byCode(code: string): Brand | undefined;
  all(): readonly Brand[];
  /** names of demo brands that are in the database and not served */
  unserved(): readonly string[];
  refresh(): Promise<void>;
  /**
   * Refreshes if the database has a brand that is not in memory. Another process may have taken an order of a new brand
   * that this one has not loaded yet, and what follows it needs the brand.
   */
  learnNew(): Promise<void>;
}

interface CatalogOptions {
  /** whether the demo brands are served, too */
  readonly demo: boolean;
  readonly defaultBrand: string;
  /** more hosts of the default brand, such as this machine's address in the local network */
  readonly extraHosts: readonly string[];
  /** scheme and host at which customers reach the default brand */
  readonly publicOrigin?: string | undefined;
  /** port of this server: the demo brands' local origins get it */
  readonly port: number;
  /** receives problems of a brand's settings */
  readonly log: Pick<Logger, 'warn'>;
}

/** Reads the catalogue for the first time. */
export async function openCatalog(db: Database, options: CatalogOptions): Promise<Catalog> {
  let loaded = await load(db, options);
  let version = 1;
  warnOfRules(loaded, options);
  const refresh = async () => {
    const fresh = await load(db, options);
    if (fresh.text === loaded.text) return;
    loaded = fresh;
    warnOfRules(loaded, options);
    version += 1;
  };
  return {
    get version() {
      return version;
    },
    byHost: (host) => loaded.byHost.get(host),
    byCode: (code) => loaded.byCode.get(code),
    all: () => [...loaded.byCode.values()],
    unserved: () => loaded.unserved,
    refresh,
    learnNew: async () => {
      const rows = await db.select({ code: brands.code, demo: brands.demo }).from(brands);
      if (rows.some((row) => isServed(row, options) && !loaded.byCode.has(row.code))) await refresh();
    },
  };
}

interface Loaded {
  readonly byCode: ReadonlyMap<string, Brand>;
  readonly byHost: ReadonlyMap<string, Brand>;
  readonly unserved: readonly string[];
  /** all rows as text, to detect changes */
  readonly text: string;
}

async function load(db: Database, options: CatalogOptions): Promise<Loaded> {
  const rows = {
    brands: await db.select().from(brands).orderBy(asc(brands.code)),
    hosts: await db.select().from(brandHosts).orderBy(asc(brandHosts.host)),
    plans: await db.select().from(plans).orderBy(asc(plans.position), asc(plans.id)),
    methods: await db
      .select()
      .from(paymentMethods)
      .where(eq(paymentMethods.active, true))
      .orderBy(asc(paymentMethods.position), asc(paymentMethods.code)),
    documents: await db.select().from(documents).orderBy(asc(documents.type), asc(documents.language)),
    banners: await db.select().from(banners).orderBy(asc(banners.position), asc(banners.id)),
    wordings: await db.select().from(wordings).orderBy(asc(wordings.language)),
    pictures: await db
      .select({
        brand: brandPictures.brand,
        path: brandPictures.path,
        type: brandPictures.type,
        hash: brandPictures.hash,
      })
      .from(brandPictures)
      .orderBy(asc(brandPictures.path)),
  };
  const unserved = rows.brands.filter((row) => !isServed(row, options)).map(({ name }) => name);
  const served = rows.brands.filter((row) => isServed(row, options));
  const byCode = new Map(served.map((row) => [row.code, assemble(row, rows, options)]));
  const byHost = new Map(
    [...byCode.values()].flatMap((brand) =>
      brand.hosts.map((host) => [canonicalHost(host)?.name ?? host, brand] as const),
    ),
  );
  return { byCode, byHost, unserved, text: JSON.stringify(rows) };
}

const isServed = ({ demo }: Pick<BrandRow, 'demo'>, options: CatalogOptions) => options.demo || !demo;

function warnOfRules({ byCode }: Loaded, { log }: CatalogOptions): void {
  for (const { code, config } of byCode.values())
    for (const rule of unsafeRules(config.validRules))
      log.warn(
        { brand: code, rule },
        'this pattern could hold up a browser and is not sent; the built-in rule stands in',
      );
}

interface Rows {
  readonly hosts: readonly (typeof brandHosts.$inferSelect)[];
  readonly plans: readonly PlanRow[];
  readonly methods: readonly MethodRow[];
  readonly documents: readonly (typeof documents.$inferSelect)[];
  readonly banners: readonly BannerRow[];
  readonly wordings: readonly (typeof wordings.$inferSelect)[];
  readonly pictures: readonly Pick<typeof brandPictures.$inferSelect, 'brand' | 'path' | 'type' | 'hash'>[];
}

function assemble(row: BrandRow, rows: Rows, options: CatalogOptions): Brand {
  const own = <T extends { brand: string }>(all: readonly T[]) => all.filter((one) => one.brand === row.code);
  const isDefault = row.code === options.defaultBrand;
  const hosts = own(rows.hosts).map((one) => one.host);
  return {
    ...row,
    // pages name the time zone where the visitor's is another one
    config: {
      ...row.config,
      validRules: withPresentDefaults(row.config.validRules),
      timeZone: timeZoneOf(row.config),
    },
    origin: (isDefault && options.publicOrigin) || withPort(row.origin, options.port),
    hosts: isDefault ? [...new Set([...hosts, ...options.extraHosts, ...hostOf(options.publicOrigin)])] : hosts,
    plans: own(rows.plans).filter((plan) => plan.active),
    retiredPlans: own(rows.plans).filter((plan) => !plan.active),
    methods: own(rows.methods),
    banners: own(rows.banners),
    documents: new Map(own(rows.documents).map((one) => [`${one.type} ${one.language}`, one.content])),
    pictures: new Map(own(rows.pictures).map(({ path, type, hash }) => [path, { type, hash }])),
    wordings: Object.fromEntries(own(rows.wordings).map((one) => [one.language, one.messages])),
  };
}

function hostOf(origin: string | undefined): string[] {
  return origin === undefined ? [] : [new URL(canonicalOrigin(origin)).hostname];
}

/**
 * The demo brands have local names, at the port of this server; origins with HTTPS or a port of their own are
 * unchanged.
 */
function withPort(origin: string, port: number): string {
  const url = new URL(origin);
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  if (!local || url.protocol !== 'http:' || url.port !== '') return origin;
  url.port = String(port);
  return url.origin;
}
