import * as v from 'valibot';
import { languageSchema, ownPathSchema, text, type Language, textSchema, currencySchema } from './fields.ts';

export const themeSchema = v.object({
  name: text(60),
  /** as the server stores it; the brand tokens use a default if it is not a valid color */
  themeColor: text(32),
  tenantId: text(40),
});
export type Theme = v.InferOutput<typeof themeSchema>;

/** Target of the floating "Need Help?" link, for brands that have one. Only https. */
export const httpsUrlSchema = v.pipe(textSchema, v.maxLength(300), v.url(), v.startsWith('https://'));

export const sellerSchema = v.object({
  legalName: text(120),
  /** in the country's format: a CNPJ, a VAT number */
  taxNumber: v.optional(text(40)),
  address: v.optional(text(200)),
  /** ISO 3166-1; it names the tax number as the country does */
  country: v.optional(text(2)),
});

export type Seller = v.InferOutput<typeof sellerSchema>;

/** Site config. `validRules` contains only patterns that a phone can run safely. */
export const siteConfigSchema = v.object({
  validRules: v.object({ email: v.optional(text(400)), phone: v.optional(text(400)) }),
  defaultLang: languageSchema,
  upgradePolicy: v.boolean(),
  subscribeEmail: v.boolean(),
  helpShowEmail: v.optional(text(120)),
  helpPhone: v.optional(text(40)),
  chatLink: v.optional(v.fallback(v.optional(httpsUrlSchema), undefined)),
  login: v.object({
    webLink: v.optional(httpsUrlSchema),
    areaCode: v.optional(text(8)),
    codeLogin: v.boolean(),
    emailSuffix: v.array(text(60)),
    /** sign-up requires a code first, so that it does not reveal whether an account exists */
    signupCode: v.optional(v.boolean(), false),
    /** sessions are bound to a key of the browser, if it can keep one: calls that log in have a DPoP proof */
    dpop: v.optional(v.boolean(), false),
  }),
  payment: v.object({
    defaultInstallment: v.pipe(v.number(), v.integer(), v.minValue(1)),
    defaultCurrency: currencySchema,
    /** how the checkout offers renewal: not at all, as a choice, or preselected if the brand's country allows that */
    renewal: v.optional(v.picklist(['no', 'asked', 'preselected']), 'asked'),
    /** minimum installment in minor units, by currency */
    smallestInstallment: v.optional(v.record(currencySchema, v.pipe(v.number(), v.integer(), v.minValue(0)))),
    /** days in which a customer may withdraw; absent if the law of the brand's country grants none */
    withdrawalDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60))),
  }),
  /** the seller, which the law requires beside the pay button and on receipts */
  seller: v.optional(sellerSchema),
  /** the home page: what the app does (`story`, the default), or the plans */
  homeVariant: v.optional(v.picklist(['story', 'plans'])),
  /** the brand's app (`appSchema` of `site.ts`); parsed where it is shown, because the first page does not need it */
  app: v.optional(v.unknown()),
  /** the IANA time zone of the brand's days; a browser that does not support it shows only its own zone */
  timeZone: v.optional(text(60)),
  /** the share of page loads whose web vitals are reported (`vitals-report.ts`), from 0 to 1; absent means none */
  webVitals: v.optional(v.number()),
  langs: v.pipe(v.array(languageSchema), v.minLength(1)),
  /** the brand has a cloud, described by the call `cloud` */
  cloud: v.optional(v.boolean()),
  /**
   * What the backend can do: `browse`, `signIn`, `buyByRedirect`, `buyByCard`, `renew`, `account`, `tv`. Pages of others
   * are not shown. Absent means everything; unknown names are ignored.
   */
  capabilities: v.optional(v.array(text(40))),
});
export type SiteConfig = v.InferOutput<typeof siteConfigSchema>;

/** The second part of a brand's styles, served at `functionPath`. */
export const functionConfigSchema = v.object({
  imgConfig: v.object({
    pcBackground: v.optional(ownPathSchema),
    mobileBackground: v.optional(ownPathSchema),
    logo: v.optional(ownPathSchema),
    /** the brand's icon, shown beside its name if it has no `logo` */
    avatar: v.optional(ownPathSchema),
    /** the preview picture of a shared link, 1200 by 630 */
    share: v.optional(ownPathSchema),
  }),
  webConfig: v.object({ brand: text(60), defaultLang: languageSchema }),
});
export type FunctionConfig = v.InferOutput<typeof functionConfigSchema>;

/**
 * The URL of a public page in a language. The plain URL is the page in the visitor's language, which is the default one
 * for a search engine, so the default language has no URL of its own.
 */
export function urlInLanguage(url: string, code: Language, { defaultLang }: Pick<SiteConfig, 'defaultLang'>): string {
  return code === defaultLang ? url : `${url}?language=${code}`;
}

/** The URLs of a public page by `hreflang`. `x-default` is the one that follows the visitor. */
export function languageAlternates(url: string, config: Pick<SiteConfig, 'defaultLang' | 'langs'>): [string, string][] {
  const inEach = config.langs.map((code): [string, string] => [code, urlInLanguage(url, code, config)]);
  return [...inEach, ['x-default', url]];
}

const russianFirst = new Set(['KZ', 'RU', 'BY', 'UA']);

/**
 * The interface language: the stored choice, else the first browser language that the brand supports, else the brand's
 * default. For brand `mego` the default is English, except in four countries.
 */
export function chooseLanguage(input: {
  stored?: Language | undefined;
  browser: readonly string[];
  tenantId: string;
  countryCode?: string | undefined;
  langs: readonly Language[];
  defaultLang: Language;
}): Language {
  const { stored, langs } = input;
  if (stored && langs.includes(stored)) return stored;
  for (const preferred of input.browser) {
    const found = langs.find((language) => preferred.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  const inEnglish = input.tenantId === 'mego' && !russianFirst.has(input.countryCode ?? '') && langs.includes('en');
  if (inEnglish) return 'en';
  return langs.includes(input.defaultLang) ? input.defaultLang : (langs[0] ?? input.defaultLang);
}
