import * as v from 'valibot';
import { payerFieldSchema } from '#contract/payer.ts';
import { knownCurrencySchema } from '#contract/money.ts';
import { httpsUrlSchema } from '#contract/brand.ts';
import { appLinkSchema, appSchema, cloudConfigSchema } from '#contract/site.ts';
import {
  nonEmptyText,
  languageSchema,
  languages,
  methodCodeSchema,
  ownPathSchema,
  planIdSchema,
} from '#contract/fields.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { nextStepSchema } from '#contract/next-step.ts';
import { canonicalHost, canonicalOrigin } from '#server/runtime/service-url.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { defaultRules } from './default-rules.ts';
import { alertsSchema, emailAddress, webhooksSchema } from './notice-settings.ts';

/** The schema of `brand.yaml`. Amounts are in major units (19.90), days are dates; rows.ts converts them to rows. */

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const usually = <S extends v.GenericSchema>(schema: S, value: v.InferInput<S>) => v.optional(schema, () => value);

/** One text for all languages, or one for each. */
const texts = (max: number) =>
  v.union(
    [
      v.pipe(
        nonEmptyText(max),
        v.transform((same): Texts => Object.fromEntries(languages.map((language) => [language, same]))),
      ),
      byLanguage(nonEmptyText(max)),
    ],
    `must be a text of at most ${max} characters, or one for each language`,
  );
type Texts = Partial<Record<(typeof languages)[number], string>>;

function byLanguage<S extends v.GenericSchema>(schema: S) {
  return v.pipe(
    v.strictObject({
      en: v.exactOptional(schema),
      pt: v.exactOptional(schema),
      es: v.exactOptional(schema),
      ru: v.exactOptional(schema),
    } satisfies Record<(typeof languages)[number], unknown>),
    v.check((given) => Object.keys(given).length > 0, 'must have one language at least'),
  );
}

const colour = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i, 'must be a colour such as "#6D3BEB", in quotes'));
const origin = v.pipe(
  v.string(),
  v.regex(
    /^https?:\/\/([^/\s:@?#[\]]+|\[[\da-f:.]+\])(:\d{1,5})?$/i,
    'must be a scheme and a host without a path, such as https://shop.example',
  ),
  v.transform(canonicalOrigin),
);
/** In any spelling, including IDN; stored in canonical form. */
const host = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = canonicalHost(dataset.value);
    if (read && !/:\d*$/.test(dataset.value.replace(/\[.*\]/, ''))) return read.name;
    addIssue({ message: 'must be a host name without scheme, port and path' });
    return NEVER;
  }),
);
const amounts = v.record(knownCurrencySchema, v.pipe(v.number(), v.minValue(0)));

/** A day in the time zone of the brand, or an instant. */
const day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{3})?Z)?$/, 'must be a day such as 2027-12-31'),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a day that there is'),
);

const planSchema = v.strictObject({
  id: planIdSchema,
  days: whole(1, 3660),
  devices: whole(1, 100),
  prices: amounts,
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
  code: methodCodeSchema,
  /** the adapter under payments/ that serves it */
  gateway: v.pipe(v.string(), v.regex(/^[a-z][a-z\d-]{1,31}$/)),
  names: texts(60),
  icon: v.pipe(v.string(), v.regex(/^[a-z]{1,20}$/)),
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
      diallingCodes: v.exactOptional(v.record(knownCurrencySchema, v.pipe(v.string(), v.regex(/^\d{1,4}$/)))),
      /** the provider's own name of the method, from its documentation: alipay_cn */
      pmId: v.exactOptional(
        v.pipe(v.string(), v.regex(/^[a-z][a-z\d_]{1,39}$/, "must be a provider's own name, such as alipay_cn")),
      ),
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
  code: discountCodeSchema,
  percent: v.optional(whole(1, 100)),
  amount: v.optional(v.pipe(v.number(), v.minValue(0.001))),
  currency: v.optional(knownCurrencySchema),
  plans: usually(v.array(planIdSchema), []),
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
  id: v.pipe(v.string(), v.regex(/^[a-z\d][a-z\d-]{0,30}$/)),
  texts: texts(200),
  link: v.optional(ownPathSchema),
});

const pattern = nonEmptyText(400);

export const brandFileSchema = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[a-z][a-z\d-]{1,30}$/, 'must be 2 to 31 small letters, digits and dashes')),
  tenantId: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/))),
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
  securityContact: v.optional(
    v.pipe(v.string(), v.regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'must begin with mailto:, https:// or tel:')),
  ),
  alerts: v.optional(alertsSchema),
  webhooks: v.optional(webhooksSchema),
  contact: v.optional(
    v.strictObject({
      email: v.optional(emailAddress),
      phone: v.optional(nonEmptyText(40)),
      chat: v.optional(httpsUrlSchema),
    }),
    {},
  ),
  /** the seller on receipts */
  seller: v.optional(
    v.strictObject({
      legalName: nonEmptyText(120),
      taxNumber: v.optional(nonEmptyText(40)),
      address: v.optional(nonEmptyText(200)),
    }),
  ),
  /** the home page for visitors: what the app does, or the plans */
  home: usually(v.picklist(['story', 'plans']), 'story'),
  /** the app; `appLink` is the older spelling of `app.link` */
  app: v.optional(
    v.pipe(
      v.strictObject({
        ...appSchema.entries,
        stores: v.optional(v.strictObject(appSchema.entries.stores.wrapped.entries)),
      }),
      v.check((app) => !app.certificates || app.intent !== undefined, 'must have an intent for its certificates'),
    ),
  ),
  appLink: v.optional(appLinkSchema),
  login: v.optional(
    v.strictObject({
      areaCode: v.optional(v.pipe(v.string(), v.regex(/^\d{1,4}$/))),
      webLink: v.optional(httpsUrlSchema),
      codeLogin: usually(v.boolean(), true),
      signupCode: usually(v.boolean(), true),
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
  cloud: v.optional(cloudConfigSchema),
  /** the documents' folder, relative to the brand's; brands may share one */
  documents: usually(v.pipe(v.string(), v.regex(/^[\w./-]{1,200}$/)), 'documents'),
  icon: v.optional(v.strictObject({ background: v.optional(colour) }), {}),
  plans: v.array(planSchema),
  methods: v.array(methodSchema),
  banners: usually(v.array(bannerSchema), []),
  coupons: usually(v.array(couponSchema), []),
});
export type BrandFile = v.InferOutput<typeof brandFileSchema>;
