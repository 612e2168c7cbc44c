import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, isScalar, isSeq, parseDocument, stringify, visit } from 'yaml';
import { catalogMessages, writeMessagesFile } from './catalog-messages.ts';
import { writeMarkdown } from './markdown.ts';
import { appOf } from './default-rules.ts';
import type { BrandRows } from './rows.ts';
import type * as v from 'valibot';
import { languages } from '#contract/fields.ts';
import { exponent } from '#contract/money.ts';
import { addDays, dayInZone, startOfDay, timeZoneOf } from '../time-zone.ts';
import type { brandFileSchema } from './schema.ts';

/** Short lists and tables of numbers are written on one line. */
const onOneLine = new Set([
  'prices',
  'listPrices',
  'hosts',
  'languages',
  'currencies',
  'fields',
  'plans',
  'installments',
  'emailSuffix',
  'diallingCodes',
  'receiver',
]);

/** The files of a brand's folder by their relative paths. */
export function filesOfRows(
  rows: BrandRows,
  pictures: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, string | Uint8Array> {
  const background = groundOf(pictures.get(`/icons/${rows.brand.tenantId}/icon.svg`));
  const icon = background !== undefined && background !== rows.brand.themeColor ? { icon: { background } } : {};
  const files = new Map<string, string | Uint8Array>([['brand.yaml', writeYaml({ ...fileOfRows(rows), ...icon })]]);
  for (const [path, bytes] of pictures) {
    const place = placeOf(path.split('/').at(-1) ?? '');
    if (place !== undefined) files.set(place, bytes);
  }
  for (const { type, language, content } of rows.documents) {
    files.set(`documents/${type}.${language}.md`, writeMarkdown(content));
  }
  const known = rows.wordings.length > 0 ? catalogMessages() : new Map();
  for (const { language, messages } of rows.wordings) {
    files.set(`words/${language}.po`, writeMessagesFile(messages, language, known));
  }
  return files;
}

function writeYaml(value: object): string {
  const document = parseDocument(stringify(value, { lineWidth: 0 }));
  visit(document, {
    Pair: (_, { key, value: node }) => {
      if (isScalar(node) && typeof node.value === 'number' && !Number.isInteger(node.value)) node.minFractionDigits = 2;
      const isShort = isScalar(key) && onOneLine.has(String(key.value));
      if (isShort && isSeq(node) && node.items.every((item) => isScalar(item))) node.flow = true;
      if (isShort && isMap(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 110, flowCollectionPadding: true });
}

/** The background of the icons, from the SVG icon. */
function groundOf(icon: Uint8Array | undefined): string | undefined {
  return icon && /<rect[^>]* fill="(#[\da-fA-F]{6})"/.exec(new TextDecoder().decode(icon))?.[1];
}

/** Icons are generated from the logo again; other images belong to the brand. */
function placeOf(name: string): string | undefined {
  if (name === 'logo.svg') return name;
  return /^(wordmark|avatar|background|mobile-background)\.|-\d+x\d+\.png$/.test(name) ? `pictures/${name}` : undefined;
}

/** Writes the files; other files in the folder stay unchanged. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, content] of files) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

type Input = v.InferInput<typeof brandFileSchema>;

/** The `brand.yaml` for these rows, without default values. Plans and methods that are no longer sold are not in it. */
function fileOfRows({ brand, hosts, plans, methods, banners, coupons }: BrandRows): Input {
  const { config } = brand;
  const app = appOf(config);
  const { defaultCurrency, smallestInstallment, ...payment } = config.payment;
  return {
    code: brand.code,
    ...(brand.tenantId !== brand.code && { tenantId: brand.tenantId }),
    name: brand.name,
    themeColor: brand.themeColor,
    origin: brand.origin,
    hosts: [...hosts],
    languages: config.langs,
    defaultLanguage: config.defaultLang,
    currencies: brand.currencies,
    defaultCurrency,
    ...(config.timeZone !== undefined && { timeZone: config.timeZone }),
    ...noticesOf(brand),
    contact: {
      ...(config.helpShowEmail !== undefined && { email: config.helpShowEmail }),
      ...(config.helpPhone !== undefined && { phone: config.helpPhone }),
      ...(config.chatLink !== undefined && { chat: config.chatLink }),
    },
    login: config.login,
    payment: { ...payment, ...(smallestInstallment && { smallestInstallment: amounts(smallestInstallment) }) },
    ...(config.seller && { seller: config.seller }),
    ...(brand.invoices && { invoices: brand.invoices }),
    ...(config.homeVariant !== undefined && { home: config.homeVariant }),
    ...(app && { app }),
    ...(config.webVitals !== undefined && { webVitals: config.webVitals }),
    validRules: config.validRules,
    upgradePolicy: config.upgradePolicy,
    subscribeEmail: config.subscribeEmail,
    ...(brand.cloud && { cloud: brand.cloud }),
    plans: plans.filter(({ active }) => active).map((plan) => planOf(plan)),
    methods: methods.filter(({ active }) => active).map((method) => methodOf(method)),
    ...(banners.length > 0 && { banners: banners.map((banner) => bannerOf(banner, brand.code)) }),
    ...(coupons.length > 0 && { coupons: coupons.map((coupon) => couponOf(coupon, timeZoneOf(config))) }),
  };
}

const asWritten = (minor: number, currency: string) => minor / 10 ** exponent(currency);
const amounts = (minor: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(minor).map(([currency, amount]) => [currency, asWritten(amount, currency)]));

function planOf(plan: BrandRows['plans'][number]): Input['plans'][number] {
  return {
    id: plan.id,
    days: plan.days,
    devices: plan.devices,
    prices: amounts(plan.prices),
    ...(Object.values(plan.prices).every((price) => price === 0) && { free: true }),
    ...(Object.keys(plan.listPrices).length > 0 && { listPrices: amounts(plan.listPrices) }),
    ...(plan.recommended && { recommended: true }),
    ...(!plan.renews && { renews: false }),
    texts: plan.texts,
  };
}

/** One text where all languages have the same. */
function shared(texts: Readonly<Partial<Record<string, string>>>) {
  const [first = '', ...others] = new Set(languages.map((language) => texts[language] ?? ''));
  return first !== '' && others.length === 0 ? first : texts;
}

function methodOf(method: BrandRows['methods'][number]): Input['methods'][number] {
  const { maxInstallments: max, interestFreeUpTo, interestBasisPoints } = method;
  return {
    code: method.code,
    gateway: method.gateway,
    names: shared(method.names),
    icon: method.icon,
    ...(method.discount > 0 && { discount: method.discount }),
    currencies: method.currencies,
    ...(method.fields.length > 0 && { fields: method.fields }),
    settles: method.settles,
    ...(method.flow !== 'none' && { flow: method.flow }),
    ...(max > 1 && { installments: { max, interestFree: interestFreeUpTo, interest: interestBasisPoints / 100 } }),
    ...(method.savesCard && { savesCard: true }),
    ...(Object.keys(method.details).length > 0 && { details: method.details }),
  };
}

function bannerOf(
  { id, texts, link }: BrandRows['banners'][number],
  code: string,
): NonNullable<Input['banners']>[number] {
  const own = id.startsWith(`${code}-`) ? id.slice(code.length + 1) : id;
  return { id: own, texts: shared(texts), ...(link !== null && { link }) };
}

/** A midnight in the brand's time zone becomes a day; any other instant is written in full. */
function dayOf(instant: number, timeZone: string, isLast = false): string {
  const day = dayInZone(instant, timeZone);
  if (startOfDay(day, timeZone) !== instant) return new Date(instant).toISOString();
  return isLast ? addDays(day, -1) : day;
}

function couponOf(coupon: BrandRows['coupons'][number], timeZone: string): NonNullable<Input['coupons']>[number] {
  const { code, kind, value, currency, planIds, maxUses, used, startsAt, endsAt, firstPurchaseOnly } = coupon;
  return {
    code,
    ...(kind === 'percent' || currency === null
      ? { percent: value }
      : { amount: asWritten(value, currency), currency }),
    ...(planIds.length > 0 && { plans: planIds }),
    uses: maxUses,
    ...(used > 0 && { used }),
    from: dayOf(startsAt, timeZone),
    until: dayOf(endsAt, timeZone, true),
    ...(firstPurchaseOnly && { firstPurchaseOnly }),
  };
}

/** Who writes, and who is told what. */
const noticesOf = (brand: BrandRows['brand']) => ({
  ...(brand.securityContact !== null && { securityContact: brand.securityContact }),
  ...(brand.mailFrom !== null && { mailFrom: brand.mailFrom }),
  ...(brand.alerts && { alerts: brand.alerts }),
  ...(brand.webhooks && {
    webhooks: brand.webhooks.map(({ url, events }) => ({ url, ...(events && { events: [...events] }) })),
  }),
});
