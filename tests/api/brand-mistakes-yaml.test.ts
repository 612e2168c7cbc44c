import { testMistakes } from '#tests/fixtures/brand-mistakes.ts';

testMistakes(
  'a slip in brand.yaml',
  String.raw`
- days: 30
+ days: 30.5
= plans[0].days must be a whole number from 1 to 3660, not 30.5
+ days: 30 days
= plans[0].days must be a whole number from 1 to 3660, not 30 days; write 30
+ days: 99999
= plans[0].days must be a whole number from 1 to 3660, not 99999
+ days:30
= "days:30" has no colon with a space after it: write name: value
+ days: 030
= plans[0].days: 030 is no plain number; write it as 30

- name: Monthly
+ name: Monthly: for all
= "name: Monthly: for all" has a second colon; a text with such characters is put in quotes
+ name: Monthly #1
= #1 is a comment in YAML; put the text in quotes, or a space after the #
+ name:
= plans[0].texts.en.name is empty; it must be a text of at most 80 characters, and a text that begins with # is put in quotes
+ nane: Monthly
= -1: plans[0].texts.en.name is missing: write a text of at most 80 characters
= plans[0].texts.en.nane is not known here; did you mean name?

- themeColor: "#1F6FEB"
+ themeColor: #0a7d55
= themeColor is empty, because a # begins a comment: write "#0a7d55" in quotes
+ themeColor: 1F6FEB
= themeColor must be a colour such as "#6D3BEB", in quotes, not 1F6FEB
+ themeColor: "#fff"
= themeColor must be a colour such as "#6D3BEB", in quotes, not #fff
+ themeColor: blue
= themeColor must be a colour such as "#6D3BEB", in quotes, not blue
+ themeColour: "#1F6FEB"
= -2: themeColor is missing: write a colour such as "#6D3BEB", in quotes
= themeColour is not known here; did you mean themeColor?

- name: "Acme TV"
+ name: "Acme TV
= "name: "Acme TV" has a quote that is not closed
+ name: "Acme" TV
= "name: "Acme" TV" goes on after its end, such as a closing quote; a text with such characters is put in quotes
+ name: true
= name: true is no text in YAML; put it in quotes
+ name: @Acme
= "name: @Acme" begins with a character that means something else in YAML; a text with such characters is put in quotes
+ name: [ Acme ]
= name must be a text of at most 60 characters, not a list
+ name: Acme Television, the place for films and series of the whole world
= name must have at most 60 characters, and has 66

- email: help@acme.example
+ email: help.acme.example
= contact.email must be an email address such as help@shop.example, not help.acme.example
+ email: help@acme.example
+ chat: www.acme.example
= +1: contact.chat must be an https address such as https://shop.example/help, not www.acme.example
+ ⇥email: help@acme.example
= "email: help@acme.example" is indented with a tab; write spaces instead
+ email: help@acme.example
+  phone: +1 555 0100
= "email: help@acme.example" is followed by a line that is indented further; correct its spaces

- contact:
+ contacts:
= contacts is not known here; did you mean contact?

- codeLogin: true
+ codeLogin: yes
= login.codeLogin must be true or false, not yes
+ codeLogin: "true"
= login.codeLogin must be true or false, not true in quotes
+ codeLogin: on
+ areaCode: +55
= +1: login.areaCode must be a calling code of 1 to 4 digits without +, such as "55", not +55
= login.codeLogin must be true or false, not on

- renewal: asked
+ renewal: ask
= payment.renewal must be one of no, asked, preselected, not ask
+ renewal: false
= payment.renewal must be one of no, asked, preselected, not false

- withdrawalDays: 14
+ withdrawalDays: 14 days
= payment.withdrawalDays must be a whole number from 1 to 60, not 14 days; write 14
+ withdrawalDays: 90
= payment.withdrawalDays must be a whole number from 1 to 60, not 90
+ withdrawelDays: 14
= payment.withdrawelDays is not known here; did you mean withdrawalDays?

- webVitals: 0.1
+ webVitals: 10%
= webVitals must be a number from 0 to 1, not 10%; write 0.1
+ webVitals: .1
= webVitals: .1 is no plain number; write it as 0.1

- subscribeEmail: true
+ withdrawalDays: 14
= withdrawalDays is not known here: it belongs to payment; see its indentation
+ name: Acme Television
= "name: Acme Television" is there twice in its block; each must be unique, so remove one of them

- names: { en: Credit card, pt: Cartão de crédito }
+ names: { pt: Cartão de crédito }
= methods[0].names: there are no words in en, the default language
+ names: [ Credit card ]
= methods[0].names.0 is not known here; known are en, pt, es, ru
+ names: { en: Credit card, pt: Cartão de crédito
= "names: { en: Credit card, pt: Cartão de crédito" has a bracket that is not closed, or whose lines are not indented

- features:
+ features: 30 days of access
+ other:
= plans[0].texts.en.features must be a list, such as [ 30 days of access ]
= +1: plans[0].texts.en.other is not known here; known are name, description, features
+ features: [ 30 days, 12 ]
+ more: yes
= +1: plans[0].texts.en.more is not known here; known are name, description, features

- code: acme
+ code: Acme
= code must be 2 to 31 small letters, digits and dashes, such as acme, not Acme
+ documents: [ docs ]
+ code: acme
= documents must be a folder such as documents or ../documents, not a list
`,
);
