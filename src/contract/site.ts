import * as v from 'valibot';
import { brandMessagesSchema } from './brand-messages.ts';
import { appLinkSchema, functionConfigSchema, httpsUrlSchema, siteConfigSchema, themeSchema } from './brand.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, planIdSchema, text, textSchema, currencySchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { methodDiscountSchema, planDetailSchema, planSchema } from './plan.ts';

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

/** Documents that operators edit: `privacy`, `terms` and `help`, each in the language `code`. */
export const dynamicConfigTypeSchema = v.picklist(['privacy', 'terms', 'help']);
export const documentSchema = v.object({
  title: text(120),
  updatedAt: v.number(),
  sections: v.array(
    v.object({
      heading: text(160),
      paragraphs: v.array(text(2000)),
      /** a related page of this site; only in help */
      link: v.optional(v.object({ to: ownPathSchema, text: text(80) })),
    }),
  ),
});
export type Document = v.InferOutput<typeof documentSchema>;

export const dynamicConfig = endpoint({
  name: 'dynamicConfig',
  method: 'GET',
  path: '/api/site/dynamic/config/v1',
  query: v.strictObject({ type: dynamicConfigTypeSchema, code: languageSchema }),
  result: documentSchema,
  errors: ['pageNotFound'],
});

export const banner = endpoint({
  name: 'banner',
  method: 'GET',
  path: '/api/site/banner/v1',
  query: v.strictObject({ language: v.optional(languageSchema) }),
  result: v.array(v.object({ id: text(40), text: text(200), link: v.optional(ownPathSchema) })),
});

/**
 * The plans of the brand in its default currency. `final` is false for a visitor, whose price may change after login.
 * The language is in the query and not only in the header, so that a cache cannot mix languages. With `mine`, plans
 * include the customer's state: which one is current, and which cannot be bought now.
 */
export const listPlans = endpoint({
  name: 'listPlans',
  method: 'GET',
  path: '/api/site/listPlans/v1',
  access: 'optional',
  query: v.strictObject({
    language: languageSchema,
    currency: v.optional(currencySchema),
    mine: v.optional(v.literal('1')),
  }),
  result: v.object({
    plans: v.array(planSchema),
    final: v.boolean(),
    /** with `mine`: when the account will be deleted; nothing can be bought until the deletion is cancelled */
    leavesAt: v.optional(v.nullable(v.number())),
    /** every payment method, in any currency; `icon` is its family */
    methods: v.optional(
      v.array(v.object({ code: text(40), name: text(60), icon: text(20), currencies: v.array(currencySchema) })),
      [],
    ),
  }),
});

/**
 * One plan. `llanguage` is the specification's spelling. `pageNotFound` if the brand has no such plan; a plan no longer
 * sold has a `refusal`.
 */
export const planDetail = endpoint({
  name: 'planDetail',
  method: 'GET',
  path: '/api/site/plan/detail/{id}',
  params: v.object({ id: planIdSchema }),
  query: v.strictObject({ llanguage: languageSchema }),
  result: planDetailSchema,
  errors: ['pageNotFound', 'rateUnsupported'],
});

/**
 * Whether the customer may buy this plan now. If not, `cannotBuyPlan` or `planUnavailable`, with `availableFrom` if it
 * is known.
 */
export const checkPlanAvailable = endpoint({
  name: 'checkPlanAvailable',
  method: 'POST',
  path: '/api/site/checkPlanAvailable/v1',
  access: 'customer',
  body: v.strictObject({ planId: planIdSchema }),
  result: v.object({
    planId: planIdSchema,
    /** when its days would begin, after all existing periods, and end */
    startsAt: v.optional(v.number()),
    expiryAfter: v.number(),
  }),
  reads: true,
  errors: ['planUnavailable', 'resetPasswordFirst', 'cannotBuyPlan', 'pageNotFound'],
});

export const planMethodDiscount = endpoint({
  name: 'planMethodDiscount',
  method: 'GET',
  path: '/api/site/plan/method/discount',
  query: v.strictObject({ planId: planIdSchema }),
  result: v.array(methodDiscountSchema),
  errors: ['pageNotFound'],
});

/** The plan's price in another currency. `rateUnsupported` if the brand has no rate for it. */
export const planConvert = endpoint({
  name: 'planConvert',
  method: 'POST',
  path: '/api/site/plan/convert',
  query: v.strictObject({ planId: planIdSchema }),
  body: v.strictObject({ currency: currencySchema }),
  result: v.object({ planId: planIdSchema, price: moneySchema }),
  reads: true,
  errors: ['rateUnsupported', 'pageNotFound'],
});

/** The brand's payment currencies (the path's name is the specification's); empty if no method can charge. */
export const currencyList = endpoint({
  name: 'currencyList',
  method: 'GET',
  path: '/api/bill/getCheckCode/v1',
  result: v.array(v.object({ code: currencySchema, symbol: text(8) })),
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
