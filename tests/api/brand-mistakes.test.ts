import { testMistakes } from '#tests/fixtures/brand-mistakes.ts';

testMistakes(
  'a wrong value in brand.yaml',
  String.raw`
- prices: { USD: 4.99 }
+ prices: { USD: 4,99 }
= plans[0].prices.99: 4,99 has a comma; write 4.99 with a point
+ prices: { USD: 1.299,00 }
= plans[0].prices.0: 1.299,00 has a comma; write 1299.00 with a point
+ prices: { USD: "4.99" }
= plans[0].prices.USD must be a number of 0 or more, not 4.99 in quotes
+ prices: { USD: $4.99 }
= plans[0].prices.USD must be a number of 0 or more, not $4.99; write 4.99
+ prices: { USD: 4.99 USD }
= plans[0].prices.USD must be a number of 0 or more, not 4.99 USD; write 4.99
+ prices: { USD:4.99 }
= plans[0].prices.USD:4.99 needs a space after its colon, such as { USD: 4.99 }
+ prices: { usd: 4.99 }
= plans[0].prices.usd must be a currency code of ISO 4217, such as EUR; did you mean USD?
+ prices: { EUT: 4.99 }
= plans[0].prices.EUT must be a currency code of ISO 4217, such as EUR; did you mean EUR?
+ prices: { EUR: 4.99 }
= plans[0].prices: there is no price in USD, the default currency
= plans[0].prices.EUR: EUR is not one of the currencies of the brand
+ prices: 4.99
= plans[0].prices must be amounts by currency, such as { USD: 4.99 }, not 4.99
+ prices: { USD: -4.99 }
= plans[0].prices.USD must be a number of 0 or more, not -4.99
+ prices: { USD: 4.999 }
= plans[0].prices.USD: 4.999 has more digits than USD has
+ prices: { USD: 0 }
= plans[0].prices.USD: is 0, so every customer would get the plan without paying; if that is meant, add free: true to the plan
+ prices: { USD: 4.99 }
+ free: true
= plans[0].prices.USD: is 4.99, and the plan is free: remove free: true, or write 0
+ price: { USD: 4.99 }
= -3: plans[0].prices is missing: write amounts by currency, such as { USD: 4.99 }
= plans[0].price is not known here; did you mean prices?
+ prices: { USD: 12.500 }
= plans[0].prices.USD: 12.500 is read as 12.5; write 12500 or 12.5
+ prices: { USD: 12.500 }
+ renews: sometimes
= +1: plans[0].renews must be true or false, not sometimes
= plans[0].prices.USD: 12.500 is read as 12.5; write 12500 or 12.5

- devices: 1
+ devices: one
= plans[0].devices must be a whole number from 1 to 100, not one

- id: "101"
+ id: monthly
= plans[0].id must be at most 32 letters, digits and dashes, the first of them a digit, not monthly
+ id: "103"
= +23: plans[1].id: 103 is there twice; each is unique

- origin: http://acme.localhost
+ origin: acme.localhost
= origin must be a scheme and a host without a path, such as https://shop.example, not acme.localhost
+ origin: http://acme.localhost/
= origin must be a scheme and a host without a path, such as https://shop.example, not http://acme.localhost/
+ origin: https://www.acme.localhost
= origin: www.acme.localhost is not one of the hosts; add it to them

- hosts: [ acme.localhost ]
+ hosts: acme.localhost
= hosts must be a list, such as [ acme.localhost ]
+ hosts: [ https://acme.localhost ]
= hosts[0] must be a host name without its scheme, such as shop.example, not https://acme.localhost
+ hosts: [ acme.localhost:3000 ]
= hosts[0] must be a host name without its port, such as shop.example, not acme.localhost:3000
+ hosts: [ acme.localhost/shop ]
= hosts[0] must be a host name without a path, such as shop.example, not acme.localhost/shop
+ hosts: [ *.acme.localhost ]
= *.acme.localhost is an alias in YAML, and a host has no wildcard; list every host
+ hosts: [ acme.localhost, "*.acme.localhost" ]
= hosts[1] must be one host name, such as shop.example: there are no wildcards, so list every host, not *.acme.localhost
+ hosts: [ acme localhost ]
= hosts[0] must be a host name such as shop.example, not acme localhost
+ hosts: [ acme.localhost, ACME.localhost ]
= hosts[1]: acme.localhost is named twice; each is unique
+ hosts: [ acme.localhost
= "hosts: [ acme.localhost" has a bracket that is not closed, or whose lines are not indented
+ hosts: []
= hosts must have one entry at least

- languages: [ en, pt ]
+ languages: [ en, pt-BR ]
= languages[1] must be one of LANGUAGES, not pt-BR; did you mean pt?
+ languages: [ en, xx ]
= languages[1] must be one of LANGUAGES, not xx
+ languages: en, pt
= languages must be a list, such as [ en, pt ]
+ languages: [ en, no ]
= languages[1] must be one of LANGUAGES, not no
+ languages: [ en pt ]
= languages[0] must be one of LANGUAGES, not en pt; write a comma between them

- defaultCurrency: USD
+ defaultCurrency: BRL
= defaultCurrency: BRL is not one of the currencies (USD)
= +36: plans[0].prices: there is no price in BRL, the default currency
= +59: plans[1].prices: there is no price in BRL, the default currency

- currencies: [ USD ]
+ currencies: [ usd ]
= currencies[0] must be a currency code of ISO 4217, such as EUR, not usd; did you mean USD?
+ currencies: [ ]
= currencies must have one entry at least

- timeZone: UTC
+ timeZone: Europe/Berln
= timeZone must be a time zone of the IANA database, such as America/Sao_Paulo, not Europe/Berln; did you mean Europe/Berlin?
+ timeZone: +02:00
= timeZone must be a time zone of the IANA database, such as America/Sao_Paulo, not +02:00

- gateway: sandbox
+ gateway: strpe
= methods[0].gateway: there is no gateway strpe, only btcpay, mpesa, paypal, payssion, stripe, transfer, useepay, and in a demo sandbox, wallet, liquido, coins; did you mean stripe?
+ gateway: Stripe
= methods[0].gateway must be the name of a gateway in small letters, such as stripe, not Stripe
+ gateway: coins
+ discount: 10%
= +1: methods[0].discount must be a whole number from 0 to 99, not 10%; write 10

- settles: instant
+ settles: immediately
= methods[0].settles must be one of instant, minutes, days, not immediately

- icon: card
+ icon: card.svg
= methods[0].icon must be the name of a drawing, such as card, pix, ticket, wallet or crypto, not card.svg

- fields: [ card, name ]
+ fields: [ card, cpf ]
= methods[0].fields[1] must be one of card, cardPage, name, document, birthDate, phone, mobile, address, not cpf

- # coupons: # more can be made by: npm run operator -- coupons create
+ coupons:
+   - { code: WELCOME10, percent: 10, uses: 1000, from: 01.12.2026, until: 2027-12-31 }
= +1: coupons[0].from must be a day such as 2027-12-31, not 01.12.2026
+ coupons:
+   - { code: WELCOME10, percent: 10, uses: 1000, from: 2026-12-01, until: 2027-02-30 }
= +1: coupons[0].until must be a day of the calendar, not 2027-02-30
+ coupons:
+   - { code: WELCOME10, percent: 110, uses: 1000, from: 2026-12-01, until: 2027-12-31 }
= +1: coupons[0].percent must be a whole number from 1 to 100, not 110
+ coupons:
+   - { code: "10 % off!", percent: 10, uses: 1000, from: 2026-12-01, until: 2027-12-31 }
= +1: coupons[0].code must be 2 to 32 letters A to Z, digits and dashes, such as WELCOME10, not 10%OFF
+ coupons:
+   - { code: WELCOME10, amount: 5, uses: 1000, from: 2027-12-01, until: 2026-12-31 }
= +1: coupons[0].currency: amount needs a currency of the brand
= +1: coupons[0].until: is before its first day
+ coupons:
+   - { code: WELCOME10, percent: 10, uses: 1.000, from: 2026-12-01, until: 2027-12-31 }
= +1: coupons[0].uses: 1.000 is read as 1; write 1000 or 1

- # banners:
+ banners:
+   - { id: Autumn, texts: { en: Ten months }, link: https://acme.example/plans }
= +1: banners[0].id must be 1 to 31 small letters, digits and dashes, not Autumn
= +1: banners[0].link must be a path of the shop such as /pricing-table, not https://acme.example/plans
+ banners:
+   - { id: autumn, texts: { xx: Dix mois }, link: /plans }
= +1: banners[0].texts.xx is not known here; known are LANGUAGES

- # seller: {
+ app: { link: "javascript:alert(1)", store: { ios: acme } }
+ # seller: {
= app.link must be an https page or a link by a scheme of your app, such as acme://open, not javascript:alert(1)
= app.store is not known here; did you mean stores?
+ app: { link: acme, stores: { ios: apps.apple.com/acme } }
+ # seller: {
= app.link must be an https page or a link by a scheme of your app, such as acme://open, not acme
= app.stores.ios must be an https address such as https://store.example/acme, not apps.apple.com/acme

- # securityContact: mailto:security@acme.localhost
+ securityContact: security@acme.localhost
= securityContact must be an address that begins with mailto:, https:// or tel:, not security@acme.localhost

- savesCard: true
+ savesCard: true
+ installments: { max: 36, interest: 1,99 }
= +1: methods[0].installments.max must be a whole number from 1 to 24, not 36
= +1: methods[0].installments.99: 1,99 has a comma; write 1.99 with a point
+ savesCard: true
+ installments: 12
= +1: methods[0].installments must be a block of settings (max, interestFree, interest), not 12
`,
);
