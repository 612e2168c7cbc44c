import { stringify } from 'yaml';
import { languages as known, type Language } from '#contract/fields.ts';
import { exponent } from '#contract/money.ts';
import { timeZoneOf } from '#server/brand/time-zone.ts';
import type { BrandRows } from '#server/brand/folder/rows.ts';

export interface NewBrand {
  readonly code: string;
  readonly name: string;
  readonly host: string;
  readonly colour: string;
  /** the first is the default */
  readonly languages: readonly Language[];
  readonly currency: string;
  /** of a month, in major units */
  readonly price: number;
}

/** Names and descriptions of the monthly and yearly plan, from the demo's plans. */
function textsOf({ plans }: BrandRows, planId: string, languages: readonly Language[]): string {
  const texts = plans.find(({ id }) => id === planId)?.texts ?? {};
  const own = Object.fromEntries(languages.map((language) => [language, texts[language] ?? texts.en]));
  // languages without texts in the demo have the same ones, for which an alias would be written
  return stringify(own, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd().replaceAll(/^/gm, '      ');
}

/** What the demo calls its card, in the languages of the brand. */
function cardNames({ methods }: BrandRows, languages: readonly Language[]): string {
  const names = methods.find(({ code }) => code === 'card')?.names ?? {};
  const own = languages.map((language) => `${language}: ${names[language] ?? names.en ?? 'Card'}`);
  return `{ ${own.join(', ')} }`;
}

const quoted = (text: string) => JSON.stringify(text);

/** A complete `brand.yaml` for a new brand, with comments on further settings; names of plans are from `demo`. */
export function newBrandYaml(brand: NewBrand, demo: BrandRows): string {
  return `${settings(brand)}${sold(brand, demo)}`;
}

const payment = `payment:
  renewal: asked # no, asked, or preselected where the law allows that
  withdrawalDays: 14 # in which customers may change their mind; the button that pays and the terms say so
  # defaultInstallment: 3
  # smallestInstallment: { BRL: 30 }`;

function settings({ code, name, host, colour, languages, currency }: NewBrand): string {
  const origin = `${/(^|\.)localhost$/.test(host) ? 'http' : 'https'}://${host}`;
  return `# The brand ${name}. After a change: npm run operator -- brand check <this folder>, then brand apply.
# Amounts are as people write them (4.99), days as 2027-12-31 in the time zone below. What is left out is as usual.

code: ${code} # names the brand in commands and in the database, for ever, and its folder
name: ${quoted(name)} # what customers read
themeColor: ${quoted(colour)} # all other colours follow from it
origin: ${origin} # how links in mails begin
hosts: [ ${host} ] # without scheme and port; each host belongs to one brand
languages: [ ${languages.join(', ')} ] # of ${known.join(', ')}
defaultLanguage: ${languages[0] ?? 'en'}
# mailFrom: no-reply@${host} # sends the emails of this brand; without it the address is that of the installation
currencies: [ ${currency} ]
defaultCurrency: ${currency}
timeZone: ${timeZoneOf({ login: {}, payment: { defaultCurrency: currency } })} # of the days in emails, receipts, coupons and reports
# securityContact: mailto:security@${host} # puts up /.well-known/security.txt
# alerts: { email: operations@${host} } # is told about attacks, disputes, refunds to send by hand, and providers that do not answer
# webhooks: [{ url: https://erp.${host}/hooks }] # your own systems that are told about orders and renewals

contact: # what help shows
  email: help@${host.includes('.') ? host.replace(/localhost$/, 'example') : 'example.com'}
  # phone: +1 555 0100
  # chat: https://chat.example/help # the button "Need help?"

login:
  codeLogin: true # sign in by a code instead of a password
  signupCode: true # prove the address before an account is made
  # dpop: true # bind each session to a key that does not leave the browser, where the browser can keep one
  # areaCode: "1" # of telephone numbers, where people mostly have one; in the Caribbean with the area: "1809"
  # emailSuffix: [ gmail.com, outlook.com ] # what the login suggests

${payment}
# seller: { legalName: "…", taxNumber: "…", address: "…" } # named at the button that pays, and on receipts
# invoices: { prefix: ACME, country: DE, tax: { DE: { name: VAT, rate: 19 } } } # numbers receipts; needs all of seller
# home: plans # visitors see the plans at once, instead of what the app does
# app: { link: acme://open } # the button "Open the app"; see src/server/docs/brand-file.md for its name, intent and stores

webVitals: 0.1 # a tenth of the page loads reports how fast it was, without personal data; see src/server/docs/monitoring.md
subscribeEmail: true # customers get offers by mail, unless they say no
# icon: { background: "#FFFFFF" } # what logo.svg stands on; the colour of the brand without it

`;
}

function sold({ languages, currency, price }: NewBrand, demo: BrandRows): string {
  const amount = (value: number) => value.toFixed(exponent(currency));
  return `plans: # as they are shown; an id begins with a digit. One that is taken out is sold no longer
  - id: "101"
    days: 30
    devices: 1
    prices: { ${currency}: ${amount(price)} }
    texts:
${textsOf(demo, '101', languages)}
  - id: "103"
    days: 365
    devices: 1
    prices: { ${currency}: ${amount(price * 10)} }
    listPrices: { ${currency}: ${amount(price * 12)} } # crossed out beside the price
    recommended: true
    texts:
${textsOf(demo, '103', languages)}

methods: # a way to pay is offered where its gateway is set up and can charge the currency
  - code: card
    gateway: sandbox # simulated; production names its provider (src/server/docs/payment-providers.md)
    names: ${cardNames(demo, languages)}
    icon: card
    currencies: [ ${currency} ]
    fields: [ card, name ] # what the payer is asked for
    settles: instant # or minutes, days
    savesCard: true # the next purchase is a tap, and plans can renew
  # - { code: paypal, gateway: paypal, names: PayPal, icon: paypal, currencies: [ ${currency} ], settles: instant, flow: redirect }

# banners:
#   - id: autumn
#     texts: { en: A year for the price of ten months }
#     link: /plan-details/103

# coupons: # more can be made by: npm run operator -- coupons create
#   - { code: WELCOME10, percent: 10, uses: 1000, from: 2026-12-01, until: 2027-12-31, firstPurchaseOnly: true }
`;
}

/** A first logo: white on transparent, for the brand's colour behind it. */
export const newLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <!-- Square, of paths alone: no text, no script, nothing from elsewhere. All icons are made from it. -->
  <path fill="#ffffff" d="M32 18v64a5 5 0 0 0 7.600 4.300l52-32a5 5 0 0 0 0-8.600l-52-32A5 5 0 0 0 32 18z" transform="translate(-8 0)"/>
</svg>
`;

/** A file without custom texts, with comments on its format. */
export function newWords({ languages, name }: NewBrand): string {
  return `# What ${name} says its own way. msgid is as in locales/**/*.po of the product, msgstr is yours:
#
# msgid "All plans"
# msgstr "Everything we have"
msgid ""
msgstr ""
"Language: ${languages[0] ?? 'en'}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
`;
}
