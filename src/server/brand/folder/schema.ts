import * as v from 'valibot';
import { payerFieldSchema } from '#contract/payer.ts';
import { knownCurrencySchema } from '#contract/money.ts';
import { cloudConfigSchema } from '#contract/site.ts';
import { nonEmptyText, languageSchema } from '#contract/fields.ts';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { nextStepSchema } from '#contract/next-step.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { defaultRules } from './default-rules.ts';
import { alertsSchema, webhooksSchema } from './notice-settings.ts';
import {
  amounts,
  appLink,
  areaCode,
  bannerId,
  brandApp,
  brandCode,
  byLanguage,
  colour,
  contactUrl,
  couponCode,
  day,
  documentsFolder,
  emailAddress,
  gatewayName,
  host,
  httpsUrl,
  iconName,
  methodCode,
  origin,
  ownPath,
  planId,
  providerName,
  tenantId,
  texts,
  usually,
  whole,
} from './schema-values.ts';
import { invoicesSchema, sellerSchema } from './seller.ts';

/** The schema of `brand.yaml`. Amounts are in major units (19.90), days are dates; rows.ts converts them to rows. */

const planSchema = v.strictObject({
  id: planId,
  days: whole(1, 3660),
  devices: whole(1, 100),
  prices: amounts,
  /** without it a price of 0 is a mistake, by which customers would get the plan without paying */
  free: usually(v.boolean(), false),
  listPrices: v.optional(amounts, {}),
  recommended: usually(v.boolean(), false),
  renews: usually(v.boolean(), true),
  texts: byLanguage(
    v.strictObject({
      name: nonEmptyText(80),
      description: nonEmptyText(400),
      features: v.array(nonEmptyText(160)),
    }),
  ),
});

const methodSchema = v.strictObject({
  code: methodCode,
  /** the adapter under payments/ that serves it */
  gateway: gatewayName,
  names: texts(60),
  icon: iconName,
  /** percent off */
  discount: usually(whole(0, 99), 0),
  currencies: v.array(knownCurrencySchema),
  fields: usually(v.array(payerFieldSchema), []),
  settles: v.picklist(['instant', 'minutes', 'days']),
  flow: usually(v.picklist(nextStepSchema.options.map(({ entries }) => entries.type.literal)), 'none'),
  installments: v.optional(
    v.strictObject({
      max: whole(1, 24),
      interestFree: usually(whole(1, 24), 1),
      /** percent per month, at most two decimals */
      interest: usually(v.pipe(v.number(), v.minValue(0), v.maxValue(50)), 0),
    }),
    { max: 1 },
  ),
  savesCard: usually(v.boolean(), false),
  details: v.optional(
    v.strictObject({
      diallingCodes: v.exactOptional(v.record(knownCurrencySchema, areaCode)),
      /** the provider's own name of the method, from its documentation: alipay_cn */
      pmId: v.exactOptional(providerName),
      receiver: v.exactOptional(
        v.strictObject({
          name: nonEmptyText(80),
          account: nonEmptyText(80),
          /** how long staff usually take to check a proof, in hours */
          checkedWithinHours: v.exactOptional(whole(1, 240)),
        }),
      ),
    }),
    {},
  ),
});

const couponSchema = v.strictObject({
  code: couponCode,
  percent: v.optional(whole(1, 100)),
  amount: v.optional(v.pipe(v.number(), v.minValue(0.001))),
  currency: v.optional(knownCurrencySchema),
  plans: usually(v.array(planId), []),
  /** maximum number of orders with it, of all customers together */
  uses: whole(1, 1_000_000_000),
  /** uses before the shop began to count */
  used: usually(whole(0, 1_000_000_000), 0),
  from: day,
  /** its last day */
  until: day,
  firstPurchaseOnly: usually(v.boolean(), false),
});

const bannerSchema = v.strictObject({
  id: bannerId,
  texts: texts(200),
  link: v.optional(ownPath),
});

const pattern = nonEmptyText(400);

export const brandFileSchema = v.strictObject({
  code: brandCode,
  tenantId: v.optional(tenantId),
  name: nonEmptyText(60),
  themeColor: colour,
  origin,
  hosts: v.pipe(v.array(host), v.minLength(1)),
  languages: v.pipe(v.array(languageSchema), v.minLength(1)),
  defaultLanguage: languageSchema,
  currencies: v.pipe(v.array(knownCurrencySchema), v.minLength(1)),
  defaultCurrency: knownCurrencySchema,
  /** for dates in mails and reports; by default the time zone of its country or currency */
  timeZone: v.optional(timeZoneSchema),
  securityContact: v.optional(contactUrl),
  /** the sender of mail, in place of MAIL_FROM */
  mailFrom: v.optional(emailAddress),
  alerts: v.optional(alertsSchema),
  webhooks: v.optional(webhooksSchema),
  contact: v.optional(
    v.strictObject({
      email: v.optional(emailAddress),
      phone: v.optional(nonEmptyText(40)),
      chat: v.optional(httpsUrl),
    }),
    {},
  ),
  /** the seller on receipts */
  seller: v.optional(sellerSchema),
  invoices: v.optional(invoicesSchema),
  /** the home page for visitors: what the app does, or the plans */
  home: usually(v.picklist(['story', 'plans']), 'story'),
  /** the app; `appLink` is the older spelling of `app.link` */
  app: v.optional(brandApp),
  appLink: v.optional(appLink),
  login: v.optional(
    v.strictObject({
      areaCode: v.optional(areaCode),
      webLink: v.optional(httpsUrl),
      codeLogin: usually(v.boolean(), true),
      signupCode: usually(v.boolean(), true),
      dpop: usually(v.boolean(), false),
      emailSuffix: usually(v.array(nonEmptyText(60)), [...defaultEmailSuffixes]),
    }),
    {},
  ),
  payment: v.optional(
    v.strictObject({
      defaultInstallment: usually(whole(1, 24), 1),
      renewal: usually(v.picklist(['no', 'asked', 'preselected']), 'asked'),
      /** the smallest allowed installment */
      smallestInstallment: v.optional(amounts),
      withdrawalDays: v.optional(whole(1, 60)),
    }),
    {},
  ),
  validRules: v.optional(v.strictObject({ email: v.optional(pattern), phone: v.optional(pattern) }), defaultRules),
  upgradePolicy: usually(v.boolean(), false),
  webVitals: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  subscribeEmail: usually(v.boolean(), true),
  cloud: v.optional(v.strictObject({ ...cloudConfigSchema.entries, link: v.optional(appLink) })),
  /** the documents' folder, relative to the brand's; brands may share one */
  documents: usually(documentsFolder, 'documents'),
  icon: v.optional(v.strictObject({ background: v.optional(colour) }), {}),
  plans: v.array(planSchema),
  methods: v.array(methodSchema),
  banners: usually(v.array(bannerSchema), []),
  coupons: usually(v.array(couponSchema), []),
});
export type BrandFile = v.InferOutput<typeof brandFileSchema>;
