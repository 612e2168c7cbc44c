import * as v from 'valibot';
import { brandMessagesSchema } from './brand-messages.ts';
import { functionConfigSchema, httpsUrlSchema, siteConfigSchema, themeSchema } from './brand.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, text, textSchema } from './fields.ts';

/** Schemes that a browser handles itself, or that start something else than an app of the brand. */
const refusedSchemes =
  'about blob content data edge facetime file filesystem ftp http intent jar javascript mailto market moz-extension ' +
  'resource sms tel vbscript view-source ws wss';

const isRefused = (scheme: string) => /^(?:chrome|ms-)/.test(scheme) || ` ${refusedSchemes} `.includes(` ${scheme} `);

/** An https page, or an app by a URL scheme of its own. Schemes such as `javascript:` are refused. */
export const appLinkSchema = v.pipe(
  textSchema,
  v.maxLength(300),
  v.regex(/^[a-z][a-z\d+.-]*:\/\/[^\s"'<>\\]+$/),
  v.check((link) => !isRefused(link.slice(0, link.indexOf(':')))),
);

/** An Android intent that names the app's package. Its fallback, if there is one, is an https page. */
const intentSchema = v.pipe(
  textSchema,
  v.maxLength(500),
  v.regex(/^intent:\/\/[^\s"'<>\\#]*#Intent;(?:[\w.]+=[^;\s"'<>\\]+;)+end$/),
  v.regex(/;package=[\w.]+;/),
  v.check((link) => !/;(?:component|SEL)\b|;S\.browser_fallback_url=(?!https%3A%2F%2F)/i.test(link)),
);

/** The brand's app, and where it is installed. */
export const appSchema = v.object({
  /** its name in messages; the brand's name without it */
  name: v.optional(text(40)),
  /** opens it */
  link: appLinkSchema,
  /** used on Android instead of `link` */
  intent: v.optional(intentSchema),
  /** SHA-256 fingerprints of the certificates that sign the app of `intent`, for `/.well-known/assetlinks.json` */
  certificates: v.optional(
    v.pipe(v.array(v.pipe(textSchema, v.regex(/^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/))), v.maxLength(10)),
  ),
  /** pages where the app is installed */
  stores: v.optional(
    v.object({
      /** phones, TV boxes and TVs with Android */
      android: v.optional(httpsUrlSchema),
      /** phones and tablets of Apple */
      ios: v.optional(httpsUrlSchema),
      /** computers with Windows */
      windows: v.optional(httpsUrlSchema),
      /** computers with macOS */
      mac: v.optional(httpsUrlSchema),
      /** devices that are not listed */
      other: v.optional(httpsUrlSchema),
    }),
  ),
});
export type BrandApp = v.InferOutput<typeof appSchema>;

/** Name, color and tenant of the request host's brand. */
export const theme = endpoint({
  name: 'theme',
  method: 'GET',
  path: '/api/site/theme/v1',
  result: themeSchema,
});

/** What the brand configures: languages, currencies, login methods, and what its pages show. */
export const siteConfig = endpoint({
  name: 'siteConfig',
  method: 'GET',
  path: '/api/site/get/config/v1',
  result: siteConfigSchema,
});

/** The version of the brand's own messages; it changes when `i18nMessage` does. */
export const i18nVersion = endpoint({
  name: 'i18nVersion',
  method: 'GET',
  path: '/api/site/i18n/version',
  result: v.object({ version: textSchema }),
});

/** Messages that the brand replaces, by message ID. */
export const i18nMessage = endpoint({
  name: 'i18nMessage',
  method: 'GET',
  path: '/api/site/i18n/message',
  query: v.strictObject({ language: languageSchema }),
  result: brandMessagesSchema,
});

/** Paths of the brand's messages and function config. */
export const langAddress = endpoint({
  name: 'langAddress',
  method: 'GET',
  path: '/api/site/get/lang/address',
  result: v.object({ path: ownPathSchema, functionPath: ownPathSchema }),
});

/** The file at `functionPath`. Static for an operator; an endpoint here, so that it is parsed. */
export const functionConfig = endpoint({
  name: 'functionConfig',
  method: 'GET',
  path: '/api/site/function/config',
  result: functionConfigSchema,
});

/** The country of the caller's network (ISO 3166-1 alpha-2), which preselects a telephone code. */
export const getCountryCode = endpoint({
  name: 'getCountryCode',
  method: 'GET',
  path: '/api/site/scanCode/getCountryCode/v1',
  payload: 'result',
  result: v.object({ countryCode: text(2) }),
});

/** Countries with their telephone codes (the path's spelling is the specification's). */
export const areaCodes = endpoint({
  name: 'areaCodes',
  method: 'GET',
  path: '/api/site/contry/phone/areacode',
  result: v.array(
    v.object({
      country: text(2),
      name: text(60),
      areaCode: text(8),
      /** pattern of the country's numbers, digits only and without the country code; empty if unknown */
      pattern: v.optional(text(400), ''),
    }),
  ),
});

/** Contact data of the brand; missing fields are absent. */
export const contactUs = endpoint({
  name: 'contactUs',
  method: 'GET',
  path: '/api/site/contact-us/v1',
  result: v.object({
    email: v.optional(text(120)),
    phone: v.optional(text(40)),
    chatLink: v.optional(httpsUrlSchema),
  }),
});

/** The cloud that comes with an account, from the brand's row. */
export const cloudConfigSchema = v.object({
  /** gigabytes for each customer */
  storageGb: v.pipe(v.number(), v.minValue(0)),
  /** without it the page shows the description and no link */
  link: v.optional(appLinkSchema),
  /** paragraphs of plain text, by language */
  texts: v.record(languageSchema, v.optional(v.array(text(600)))),
});
export type CloudConfig = v.InferOutput<typeof cloudConfigSchema>;

/** The cloud that comes with an account, in the language of the request. `pageNotFound` if the brand has none. */
export const cloud = endpoint({
  name: 'cloud',
  method: 'GET',
  path: '/api/site/cloud/v1',
  access: 'customer',
  result: v.object({
    storageGb: v.number(),
    /** what the customer has stored; absent if the brand's service does not tell */
    usedBytes: v.optional(v.number()),
    link: v.nullable(v.fallback(v.nullable(appLinkSchema), null)),
    paragraphs: v.array(text(600)),
  }),
  errors: ['pageNotFound'],
});
