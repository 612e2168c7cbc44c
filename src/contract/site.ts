import * as v from 'valibot';
import { brandMessagesSchema } from './brand-messages.ts';
import { appLinkSchema, functionConfigSchema, httpsUrlSchema, siteConfigSchema, themeSchema } from './brand.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, text, textSchema } from './fields.ts';

/** Name, color and tenant of the request host's brand. */
export const theme = endpoint({
  name: 'theme',
  method: 'GET',
  path: '/api/site/theme/v1',
  result: themeSchema,
});

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
    link: v.nullable(v.fallback(v.nullable(appLinkSchema), null)),
    paragraphs: v.array(text(600)),
  }),
  errors: ['pageNotFound'],
});
