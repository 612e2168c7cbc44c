import * as v from 'valibot';
import { knownCurrencySchema } from '#contract/money.ts';
import { cloudConfigSchema } from '#contract/site.ts';
import { nonEmptyText, languageSchema } from '#contract/fields.ts';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { defaultRules } from './default-rules.ts';
import { alertsSchema, webhooksSchema } from './notice-settings.ts';
import { bannerSchema, couponSchema, methodSchema, planSchema } from './schema-sold.ts';
import {
  amounts,
  appLink,
  areaCode,
  brandApp,
  brandCode,
  colour,
  contactUrl,
  documentsFolder,
  emailAddress,
  host,
  httpsUrl,
  origin,
  tenantId,
  usually,
  whole,
} from './schema-values.ts';
import { invoicesSchema, sellerSchema } from './seller.ts';

/**
 * The schema of `brand.yaml`. Amounts are in major units (19.90), days are dates; rows.ts converts them to rows. The
 * comments are printed in `docs/brand-file.md`.
 */

const pattern = nonEmptyText(400);

export const brandFileSchema = v.strictObject({
  /** Names the brand in commands and in the database, for ever. The folder has this name. */
  code: brandCode,
  /** The `aud` of single sign-on tokens, and the folder of its pictures. By default it is `code`. */
  tenantId: v.optional(tenantId),
  /** What customers read. */
  name: nonEmptyText(60),
  /** The colour of the brand; all other colours follow from it. */
  themeColor: colour,
  /** How links in emails begin. */
  origin,
  /** The host names of the shop, without scheme and port. A host belongs to one brand. */
  hosts: v.pipe(v.array(host), v.minLength(1)),
  /** The languages that customers can choose. Each needs the documents. */
  languages: v.pipe(v.array(languageSchema), v.minLength(1)),
  /** The language of customers whose browser asks for none of them. Its texts replace missing ones. */
  defaultLanguage: languageSchema,
  /** The currencies of prices. */
  currencies: v.pipe(v.array(knownCurrencySchema), v.minLength(1)),
  /** The currency of prices until the customer chooses another one. */
  defaultCurrency: knownCurrencySchema,
  /**
   * The time zone of all days in emails, SMS, receipts, coupons and reports. By default that of `login.areaCode` or
   * of the default currency.
   */
  timeZone: v.optional(timeZoneSchema),
  /** Publishes `/.well-known/security.txt`. */
  securityContact: v.optional(contactUrl),
  /**
   * The sender of the brand's emails. By default `MAIL_FROM`, which is the same for all brands. The mail server has to
   * accept this sender, and to sign its domain if it is not that of `MAIL_DKIM_DOMAIN`.
   */
  mailFrom: v.optional(emailAddress),
  /** Who receives alerts; see docs/monitoring.md. */
  alerts: v.optional(alertsSchema),
  /** Your own systems that are told about orders, renewals and accounts; see docs/webhooks.md. */
  webhooks: v.optional(webhooksSchema),
  /** How customers reach you; help and emails name it. */
  contact: v.optional(
    v.strictObject({
      /** Receives questions of customers. */
      email: v.optional(emailAddress),
      /** As it is shown. */
      phone: v.optional(nonEmptyText(40)),
      /** The page of the button "Need help?". */
      chat: v.optional(httpsUrl),
    }),
    {},
  ),
  /** The seller, named at the button that pays and on receipts. */
  seller: v.optional(sellerSchema),
  /** Numbers receipts as invoices; see docs/your-own-brand.md#invoices. It needs all of `seller`. */
  invoices: v.optional(invoicesSchema),
  /** The home page for visitors: what the app does (`story`), or the plans. */
  home: usually(v.picklist(['story', 'plans']), 'story'),
  /** The app of the brand. Without it, no page has the button "Open the app". */
  app: v.optional(brandApp),
  /** The older spelling of `app.link`. */
  appLink: v.optional(appLink),
  /** How customers log in. */
  login: v.optional(
    v.strictObject({
      /**
       * The calling code of the brand's country. In the Caribbean it has the four digits of an area of the country, such
       * as 1809, because SMS to other countries have a smaller budget.
       */
      areaCode: v.optional(areaCode),
      /** A page of yours with another login, linked below the form. */
      webLink: v.optional(httpsUrl),
      /** Offers login by a code. */
      codeLogin: usually(v.boolean(), true),
      /** Requires a code before an account is created. */
      signupCode: usually(v.boolean(), true),
      /**
       * Binds each session to a key that does not leave the browser (DPoP, RFC 9449): a stolen token alone is refused.
       * Browsers that cannot keep such a key get a session of the usual kind. A session that is bound stays so.
       */
      dpop: usually(v.boolean(), false),
      /** The domains that the email field suggests. */
      emailSuffix: usually(v.array(nonEmptyText(60)), [...defaultEmailSuffixes]),
    }),
    {},
  ),
  /** How customers pay. */
  payment: v.optional(
    v.strictObject({
      /** The number of installments that is preselected, where the method and the amount allow it. */
      defaultInstallment: usually(whole(1, 24), 1),
      /** How the checkout offers renewal. Use `preselected` only where the law allows it. */
      renewal: usually(v.picklist(['no', 'asked', 'preselected']), 'asked'),
      /** The smallest installment; by default 30 for BRL, and none for others. */
      smallestInstallment: v.optional(amounts),
      /** The days in which customers can cancel a paid order. Without it they cannot. */
      withdrawalDays: v.optional(whole(1, 60)),
    }),
    {},
  ),
  /**
   * Regular expressions that `email` and `phone` have to match, besides the shop's own checks. Without `phone` in it, no
   * customer can use a phone number; without the block, phone numbers are allowed.
   */
  validRules: v.optional(
    v.strictObject({
      /** Refuses other addresses. */
      email: v.optional(pattern),
      /** Allows phone numbers of these digits, with the calling code. */
      phone: v.optional(pattern),
    }),
    defaultRules,
  ),
  /** Apps read it from the site configuration. The shop does not use it. */
  upgradePolicy: usually(v.boolean(), false),
  /** The share of page loads that report how fast they were, without personal data. Without it none does. */
  webVitals: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Customers receive offers unless they decline. Set it to false if your law requires consent first. */
  subscribeEmail: usually(v.boolean(), true),
  /** The cloud storage that comes with an account. Without it there is no such page. */
  cloud: v.optional(v.strictObject({ ...cloudConfigSchema.entries, link: v.optional(appLink) })),
  /** The folder of the documents, relative to that of the brand. Brands may share one. */
  documents: usually(documentsFolder, 'documents'),
  /** The icons that are made from `logo.svg`. */
  icon: v.optional(
    v.strictObject({
      /** What the logo stands on. By default it is `themeColor`. */
      background: v.optional(colour),
    }),
    {},
  ),
  /** What is sold, in the order in which it is shown. A plan that is removed is no longer sold. */
  plans: v.array(planSchema),
  /** The payment methods, in the order in which they are shown. */
  methods: v.array(methodSchema),
  /** Messages at the top of the home page. */
  banners: usually(v.array(bannerSchema), []),
  /** Discounts by code. Coupons that are not in the file remain unchanged. */
  coupons: usually(v.array(couponSchema), []),
});
export type BrandFile = v.InferOutput<typeof brandFileSchema>;
