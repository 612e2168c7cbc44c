import * as v from 'valibot';
import { knownCurrencySchema } from '#contract/money.ts';
import { isEmailAddress, normalizeEmail } from '#contract/email-address.ts';
import { httpsUrlSchema } from '#contract/brand.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { languages, methodCodeSchema, nonEmptyText, ownPathSchema, planIdSchema } from '#contract/fields.ts';
import { appLinkSchema, appSchema } from '#contract/site.ts';
import { canonicalHost, canonicalOrigin } from '#server/runtime/service-url.ts';

/**
 * The values of `brand.yaml`. Every message follows the name of its setting, begins with `must`, and says what to write
 * instead (`sentences.ts`): the pattern of a schema is never shown to an operator.
 */

/** A schema of the contract, whose own messages are for programs, with one message for all that it refuses. */
const said = <S extends v.GenericSchema>(schema: S, message: `must ${string}`): S =>
  Object.assign(v.config(schema, { message }), { message });
const spelt = (pattern: RegExp, message: `must ${string}`) => v.pipe(v.string(message), v.regex(pattern, message));

export const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
export const usually = <S extends v.GenericSchema>(schema: S, value: v.InferInput<S>) =>
  v.optional(schema, () => value);

type Texts = Partial<Record<(typeof languages)[number], string>>;

/** One text for all languages, or one for each. */
export const texts = (max: number) =>
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

type ByLanguage<S extends v.GenericSchema> = Record<(typeof languages)[number], v.ExactOptionalSchema<S, undefined>>;

export function byLanguage<S extends v.GenericSchema>(schema: S) {
  const entries = Object.fromEntries(languages.map((language) => [language, v.exactOptional(schema)]));
  return v.pipe(
    v.strictObject(entries as ByLanguage<S>), // as: its keys are those of the table of languages
    v.check((given) => Object.keys(given).length > 0, 'must have one language at least'),
  );
}

export const colour = spelt(/^#[\da-f]{6}$/i, 'must be a colour such as "#6D3BEB", in quotes');
export const origin = v.pipe(
  spelt(
    /^https?:\/\/([^/\s:@?#[\]]+|\[[\da-f:.]+\])(:\d{1,5})?$/i,
    'must be a scheme and a host without a path, such as https://shop.example',
  ),
  v.transform(canonicalOrigin),
);

/** What is wrong with a host; undefined for a host name. A request's host is compared with it exactly. */
function hostFault(text: string): string | undefined {
  if (text.includes('://')) return 'must be a host name without its scheme, such as shop.example';
  if (text.includes('*'))
    return 'must be one host name, such as shop.example: there are no wildcards, so list every host';
  if (/[/?#]/.test(text)) return 'must be a host name without a path, such as shop.example';
  if (/:\d*$/.test(text.replace(/\[.*\]/, ''))) return 'must be a host name without its port, such as shop.example';
  return canonicalHost(text) ? undefined : 'must be a host name such as shop.example';
}

/** In any spelling, including IDN; stored in canonical form. */
export const host = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const fault = hostFault(dataset.value.trim());
    const read = canonicalHost(dataset.value);
    if (fault === undefined && read) return read.name;
    addIssue({ message: fault ?? 'must be a host name such as shop.example' });
    return NEVER;
  }),
);

/** In major units, by currency. */
export const amounts = v.record(knownCurrencySchema, v.pipe(v.number(), v.minValue(0)));

const dayForm = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{3})?Z)?$/;

/** Whether the calendar has a day in that form: `Date.parse` accepts February 30. */
function isInCalendar(text: string): boolean {
  const [, day] = dayForm.exec(text) ?? [];
  if (day === undefined) return true;
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day) && !Number.isNaN(Date.parse(text));
}

/** A day in the time zone of the brand, or an instant. */
export const day = v.pipe(
  spelt(dayForm, 'must be a day such as 2027-12-31'),
  v.check(isInCalendar, 'must be a day of the calendar'),
);

export const emailAddress = v.pipe(
  v.string(),
  v.transform(normalizeEmail),
  v.check(isEmailAddress, 'must be an email address such as help@shop.example'),
  v.maxLength(120),
);
export const httpsUrl = said(httpsUrlSchema, 'must be an https address such as https://shop.example/help');
export const ownPath = said(ownPathSchema, 'must be a path of the shop such as /pricing-table');
export const areaCode = spelt(/^\d{1,4}$/, 'must be a calling code of 1 to 4 digits without +, such as "55"');
export const contactUrl = spelt(
  /^(mailto:|https:\/\/|tel:)\S+$/,
  'must be an address that begins with mailto:, https:// or tel:',
);

export const brandCode = spelt(
  /^[a-z][a-z\d-]{1,30}$/,
  'must be 2 to 31 small letters, digits and dashes, such as acme',
);
export const tenantId = spelt(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, dashes and underscores');
export const planId = said(planIdSchema, 'must be at most 32 letters, digits and dashes, the first of them a digit');
export const methodCode = said(methodCodeSchema, 'must be 2 to 32 small letters, digits and dashes, such as card');
export const gatewayName = spelt(
  /^[a-z][a-z\d-]{1,31}$/,
  'must be the name of a gateway in small letters, such as stripe',
);
export const iconName = spelt(
  /^[a-z]{1,20}$/,
  'must be the name of a drawing, such as card, pix, ticket, wallet or crypto',
);
export const providerName = spelt(/^[a-z][a-z\d_]{1,39}$/, "must be a provider's own name, such as alipay_cn");
export const bannerId = spelt(/^[a-z\d][a-z\d-]{0,30}$/, 'must be 1 to 31 small letters, digits and dashes');
export const couponCode = said(
  discountCodeSchema,
  'must be 2 to 32 letters A to Z, digits and dashes, such as WELCOME10',
);
export const documentsFolder = spelt(/^[\w./-]{1,200}$/, 'must be a folder such as documents or ../documents');

export const appLink = said(
  appLinkSchema,
  'must be an https page or a link by a scheme of your app, such as acme://open',
);
const { intent, certificates, stores } = appSchema.entries;
/** The app of the brand; certificates need an app of Android, so they need its intent. */
export const brandApp = v.pipe(
  v.strictObject({
    ...appSchema.entries,
    /** Opens it. The schemes of browser and system, such as `javascript:` and `tel:`, are refused. */
    link: appLink,
    /** Is used on Android in place of `link`. */
    intent: v.optional(
      said(
        intent.wrapped,
        'must be an Android intent such as intent://open#Intent;scheme=acme;package=com.acme.player;end',
      ),
    ),
    /**
     * The SHA-256 fingerprints of the certificates that sign the app of `intent` (Play Console: App integrity). They
     * publish `/.well-known/assetlinks.json`, by which the app opens links of the storefront and uses its passkeys and
     * passwords. Nothing like it is published for an app of iOS: let the proxy serve its
     * `/.well-known/apple-app-site-association`.
     */
    certificates: v.optional(
      said(certificates.wrapped, 'must be at most 10 SHA-256 fingerprints of 32 pairs in capitals, such as AB:CD:…'),
    ),
    /**
     * The pages where the app is installed, by device: `android`, `ios`, `windows`, `mac`, and `other` for every other
     * device. If the app does not open, the message links to the page of the customer's device.
     */
    stores: v.optional(
      said(v.strictObject(stores.wrapped.entries), 'must be an https address such as https://store.example/acme'),
    ),
  }),
  v.check((app) => !app.certificates || app.intent !== undefined, 'must have an intent for its certificates'),
);
