import { addDays, startOfDay, timeZoneOf } from '../time-zone.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { exponent } from '#contract/money.ts';
import type { banners, brands, documents, paymentMethods, plans, wordings } from '#server/db/schema/brands.ts';
import type { coupons } from '#server/db/schema/orders.ts';
import type { Picture } from './icons.ts';
import type { BrandFile } from './schema.ts';

type Row<T extends { $inferSelect: unknown }> = Omit<T['$inferSelect'], 'brand'>;

/** A whole brand as rows, each without its brand code, in display order. */
export interface BrandRows {
  readonly brand: typeof brands.$inferSelect;
  /** host names without a port */
  readonly hosts: readonly string[];
  readonly plans: readonly Row<typeof plans>[];
  readonly methods: readonly Row<typeof paymentMethods>[];
  readonly banners: readonly Row<typeof banners>[];
  readonly coupons: readonly Row<typeof coupons>[];
  readonly wordings: readonly Row<typeof wordings>[];
  readonly documents: readonly Row<typeof documents>[];
  /** the stored ones; for others the storefront may ship an image */
  readonly pictures: readonly Picture[];
}

/** Minor units of an amount in major units; undefined where it has more digits than the currency. */
export function minorUnitsOf(amount: number, currency: string): number | undefined {
  const exact = amount * 10 ** exponent(currency);
  const minor = Math.round(exact);
  return Math.abs(exact - minor) < 1e-6 && Number.isSafeInteger(minor) ? minor : undefined;
}

/** A day in the brand's time zone, or an instant; a last day ends at the next midnight. */
export function instantOf(day: string, timeZone: string, isLast = false): number {
  if (day.length !== 10) return Date.parse(day);
  return startOfDay(isLast ? addDays(day, 1) : day, timeZone);
}

/** `contradictions.ts` has checked that amounts fit their currencies. */
const minorUnits = (amounts: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, minorUnitsOf(amount, currency) ?? 0]),
  );

/** The rows of a file; texts and documents are read separately. */
export function rowsOf(file: BrandFile, beside: Pick<BrandRows, 'wordings' | 'documents'>): BrandRows {
  return {
    brand: brandRow(file),
    hosts: file.hosts,
    plans: file.plans.map(({ prices, listPrices, free, ...plan }, position) => ({
      ...plan,
      // there is nothing to charge
      renews: plan.renews && !free,
      prices: minorUnits(prices),
      listPrices: minorUnits(listPrices),
      position,
      active: true,
    })),
    methods: file.methods.map(({ installments, ...method }, position) => ({
      ...method,
      maxInstallments: installments.max,
      interestFreeUpTo: installments.interestFree,
      interestBasisPoints: Math.round(installments.interest * 100),
      position,
      active: true,
    })),
    banners: file.banners.map(({ id, texts, link = null }, position) => ({
      // the ids of all brands are in one table
      id: `${file.code}-${id}`,
      texts,
      link,
      position,
    })),
    coupons: file.coupons.map((coupon) => couponRow(coupon, zoneOfFile(file))),
    ...beside,
    pictures: [],
  };
}

/** The time zone of a brand: from its file, or from its country and currency. */
const zoneOfFile = ({ timeZone, login, defaultCurrency }: BrandFile): string =>
  timeZoneOf({ timeZone, login, payment: { defaultCurrency } });

function couponRow(
  { code, percent, amount, currency, plans, uses, used, from, until, firstPurchaseOnly }: BrandFile['coupons'][number],
  timeZone: string,
) {
  const off =
    percent === undefined
      ? { kind: 'amount' as const, value: minorUnitsOf(amount ?? 0, currency ?? '') ?? 0, currency: currency ?? null }
      : { kind: 'percent' as const, value: percent, currency: null };
  const time = { startsAt: instantOf(from, timeZone), endsAt: instantOf(until, timeZone, true) };
  return { code, ...off, planIds: plans, maxUses: uses, used, ...time, firstPurchaseOnly };
}

function brandRow(file: BrandFile): BrandRows['brand'] {
  const { code, tenantId = code, name, themeColor, origin, currencies, defaultCurrency } = file;
  return {
    code,
    tenantId,
    name,
    themeColor,
    origin,
    currencies: [defaultCurrency, ...currencies.filter((currency) => currency !== defaultCurrency)],
    config: configOf(file),
    cloud: file.cloud ?? null,
    securityContact: file.securityContact ?? null,
    mailFrom: file.mailFrom ?? null,
    alerts: file.alerts ?? null,
    webhooks: file.webhooks ?? null,
    invoices: file.invoices ?? null,
    demo: false,
  };
}

const withCountry = (seller: NonNullable<SiteConfig['seller']>, { invoices }: BrandFile) =>
  invoices ? { ...seller, country: seller.country ?? invoices.country } : seller;

function configOf(file: BrandFile): SiteConfig {
  const { contact, login, seller, app = file.appLink === undefined ? undefined : { link: file.appLink } } = file;
  const { smallestInstallment, ...payment } = file.payment;
  return {
    validRules: file.validRules,
    defaultLang: file.defaultLanguage,
    ...(file.timeZone !== undefined && { timeZone: file.timeZone }),
    upgradePolicy: file.upgradePolicy,
    subscribeEmail: file.subscribeEmail,
    ...(contact.email !== undefined && { helpShowEmail: contact.email }),
    ...(contact.phone !== undefined && { helpPhone: contact.phone }),
    ...(contact.chat !== undefined && { chatLink: contact.chat }),
    login,
    payment: {
      ...payment,
      ...(smallestInstallment && { smallestInstallment: minorUnits(smallestInstallment) }),
      defaultCurrency: file.defaultCurrency,
    },
    ...(seller && { seller: withCountry(seller, file) }),
    ...(file.home !== 'story' && { homeVariant: file.home }),
    ...(app && { app }),
    ...(file.webVitals !== undefined && { webVitals: file.webVitals }),
    langs: file.languages,
  };
}
