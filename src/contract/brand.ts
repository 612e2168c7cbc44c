import * as v from 'valibot';
import { languageSchema, ownPathSchema, text, type Language, textSchema, currencySchema } from './fields.ts';

export const themeSchema = v.object({
  name: text(60),
  /** as the server has it; may be anything, `brand tokens` fall back when it is no colour */
  themeColor: text(32),
  tenantId: text(40),
});
export type Theme = v.InferOutput<typeof themeSchema>;

/** Where the floating "Need Help?" leads, for brands that have one. Only https. */
export const httpsUrlSchema = v.pipe(textSchema, v.maxLength(300), v.url(), v.startsWith('https://'));

/**
 * A page, or the app by its own scheme. Anything else, such as a script, is none.
 */
export const appLinkSchema = v.pipe(textSchema, v.maxLength(300), v.regex(/^(https|mach):\/\/[^\s"'<>\\]+$/));

export const sellerSchema = v.object({
  legalName: text(120),
  /** as the country writes it: a CNPJ, a VAT number */
  taxNumber: v.optional(text(40)),
  address: v.optional(text(200)),
});

export type Seller = v.InferOutput<typeof sellerSchema>;

/** Site config. The patterns of `validRules` are such as a phone can run safely; another one is not sent. */
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
    /** sign-up asks for a code first, so that nobody learns who has an account */
    signupCode: v.optional(v.boolean(), false),
  }),
  payment: v.object({
    defaultInstallment: v.pipe(v.number(), v.integer(), v.minValue(1)),
    defaultCurrency: currencySchema,
    /** how the checkout offers renewal: not at all, as a choice, or chosen already where the brand's country allows that */
    renewal: v.optional(v.picklist(['no', 'asked', 'preselected']), 'asked'),
    /** no installment is smaller than this, in minor units by currency */
    smallestInstallment: v.optional(v.record(currencySchema, v.pipe(v.number(), v.integer(), v.minValue(0)))),
    /** days in which who bought may change their mind; absent where the law of the brand's country gives none */
    withdrawalDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60))),
  }),
  /** who sells, as the law wants it named beside the button that pays and on a receipt */
  seller: v.optional(sellerSchema),
  /** which home its visitors see: what the app does (`story`, as usual), or its plans at once */
  homeVariant: v.optional(v.picklist(['story', 'plans'])),
  /** opens the app: a page, or the app's own scheme */
  appLink: v.optional(v.fallback(v.optional(appLinkSchema), undefined)),
  /** the IANA time zone of the brand's days; a browser that does not know it shows its own alone */
  timeZone: v.optional(text(60)),
  langs: v.pipe(v.array(languageSchema), v.minLength(1)),
  /** the brand has a cloud, which the call `cloud` tells of */
  cloud: v.optional(v.boolean()),
});
export type SiteConfig = v.InferOutput<typeof siteConfigSchema>;

/** What a brand says about the cloud that comes with an account, as its row has it. */
export const cloudConfigSchema = v.object({
  /** gigabytes that each customer has */
  storageGb: v.pipe(v.number(), v.minValue(0)),
  /** without one the page says what there is, and leads nowhere */
  link: v.optional(appLinkSchema),
  /** paragraphs of plain text, by language */
  texts: v.record(languageSchema, v.optional(v.array(text(600)))),
});
export type CloudConfig = v.InferOutput<typeof cloudConfigSchema>;

/** The second half of a brand's looks, kept at `functionPath`. */
export const functionConfigSchema = v.object({
  imgConfig: v.object({
    pcBackground: v.optional(ownPathSchema),
    mobileBackground: v.optional(ownPathSchema),
    logo: v.optional(ownPathSchema),
    /** the brand's mark, beside its name where it has no `logo` */
    avatar: v.optional(ownPathSchema),
    /** what a chat shows for a link to the shop, 1200 by 630 */
    share: v.optional(ownPathSchema),
  }),
  webConfig: v.object({ brand: text(60), defaultLang: languageSchema }),
});
export type FunctionConfig = v.InferOutput<typeof functionConfigSchema>;

const russianFirst = new Set(['KZ', 'RU', 'BY', 'UA']);

/**
 * Which language the interface speaks: the stored choice, else the first of the browser's that the brand has, else
 * the brand's default, which is English for brand `mego`, but for four countries.
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
  for (const wish of input.browser) {
    const found = langs.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  const inEnglish = input.tenantId === 'mego' && !russianFirst.has(input.countryCode ?? '') && langs.includes('en');
  if (inEnglish) return 'en';
  return langs.includes(input.defaultLang) ? input.defaultLang : (langs[0] ?? input.defaultLang);
}
