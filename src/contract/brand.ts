import * as v from 'valibot';
import { languageSchema, ownPathSchema, text, type Language, textSchema } from './fields.ts';
import { currencySchema } from './money.ts';

export const themeSchema = v.object({
  name: text(60),
  /** as the server has it; may be anything, `brand tokens` fall back when it is no colour */
  themeColor: text(32),
  tenantId: text(40),
});
export type Theme = v.InferOutput<typeof themeSchema>;

/** Where the floating "Need Help?" leads, for brands that have one. Only https. */
export const httpsUrlSchema = v.pipe(textSchema, v.maxLength(300), v.url(), v.startsWith('https://'));

/** Site config (spec 3). The patterns of `validRules` are data: they are run guarded, never trusted. */
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
  }),
  langs: v.pipe(v.array(languageSchema), v.minLength(1)),
});
export type SiteConfig = v.InferOutput<typeof siteConfigSchema>;

/** The second half of a brand's looks, kept at `functionPath` (spec 3, "Function config"). */
export const functionConfigSchema = v.object({
  imgConfig: v.object({
    pcBackground: v.optional(ownPathSchema),
    mobileBackground: v.optional(ownPathSchema),
    logo: v.optional(ownPathSchema),
    avatar: v.optional(ownPathSchema),
  }),
  webConfig: v.object({ brand: text(60), defaultLang: languageSchema }),
});
export type FunctionConfig = v.InferOutput<typeof functionConfigSchema>;

const russianFirst = new Set(['KZ', 'RU', 'BY', 'UA']);

/**
 * Which language the interface speaks: the stored choice, else the first of the browser's that the brand has, else
 * the brand's default. Brand `mego` with nothing stored starts in English, but for four countries (spec 1, decisions).
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
  if (input.tenantId === 'mego' && !russianFirst.has(input.countryCode ?? '') && langs.includes('en')) return 'en';
  for (const wish of input.browser) {
    const found = langs.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return langs.includes(input.defaultLang) ? input.defaultLang : (langs[0] ?? input.defaultLang);
}
