import { describe, expect, it } from 'vitest';
import { codeSceneSchema } from '#contract/codes.ts';
import { languages, type Language } from '#contract/fields.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { accountExistsMail, bindMail, confirmMail, welcomeMail, newSignInMail } from './account-mails.ts';
import { accountExistsSms, codeMail, codeSms } from './code-messages.ts';
import { contactChangedMail, phoneRemovedMail } from './contact-changed.ts';
import { couponMail } from './offer-mails.ts';
import { deletionRequestedMail } from './deletion-mails.ts';
import { renderMail, type MailText } from './mail-html.ts';
import { receiptMail, reminderMail } from './order-mails.ts';
import { passwordChangedMail, resetMail } from './password-mails.ts';
import {
  renewalCardMail,
  renewalConfirmMail,
  renewalEndedMail,
  renewalNoticeMail,
  renewalPriceMail,
  renewalRefusedMail,
} from './renewal-mails.ts';
import { renewalChosenMail, renewalOffMail } from './renewal-chosen-mail.ts';
import { withdrawalMail, withdrawalRefusedMail } from './withdrawal-mails.ts';
import { renewalSms, type RenewalSms } from './renewal-sms.ts';

const config = { login: {}, payment: { defaultCurrency: 'BRL' }, timeZone: 'UTC' };
// only these fields are read
const brand = { name: 'Lumen', themeColor: '#6D3BEB', origin: 'https://lumen.example:8443', config } as Brand;
const evil = '<img src=x onerror=alert(1)>"';
const link = 'https://lumen.example:8443/activate?token=abc&language=pt';
const scenes = [...codeSceneSchema.options, 'confirm'] as const;

const receipt = {
  orderId: 'ABCDEFGH',
  planName: 'Anual',
  methodName: 'Pix',
  total: { amount: 4990, currency: 'BRL' },
  installments: 3,
  cardLast4: '4242',
  seller: null,
  paidAt: Date.UTC(2026, 10, 21),
  serviceStart: Date.UTC(2026, 10, 21),
  serviceEnd: Date.UTC(2027, 10, 21),
};
const pixCode =
  '00020126330014br.gov.bcb.pix011197212482404520400005303986540530.005802BR5905LUMEN6006RECIFE62110507VIPSURF630425A1';
const until = Date.UTC(2026, 10, 22, 15, 4);
const amount = receipt.total;
const steps: Record<string, NextStep> = {
  Pix: { type: 'qr', payload: pixCode, amount, expiresAt: until },
  'a slip': {
    type: 'ticket',
    barcode: '00191164200000049900000001234567800000000017',
    line: '00190.00009 01234.567806 00000.000174 1 16420000004990',
    amount,
    dueDate: '2026-11-26',
    expiresAt: until,
  },
  coins: {
    type: 'crypto',
    options: [],
    chosen: {
      coin: 'btc-bitcoin',
      asset: '₿',
      network: '1',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      amount: '0.0015',
      uri: 'bitcoin:1A1zP1',
      received: '0.0005',
      missing: '0.0010',
      confirmations: 0,
      confirmationsNeeded: 2,
    },
    amount,
    expiresAt: until,
  },
  'a transfer': {
    type: 'upload',
    flavour: 'caishen',
    payload: null,
    receiver: { name: '财神', account: '6217 0000' },
    reference: 'CS-7 4071',
    amount,
    proof: 'none',
    expiresAt: until,
  },
  'a page of a bank': { type: 'redirect', url: 'https://bank.example/pay', expiresAt: until },
  'a new code': { type: 'none' },
};
const reminderOf = (next: NextStep) => (from: Brand, language: Language) =>
  reminderMail(from, language, { orderId: 'ABCDEFGH', planName: 'Anual', methodName: 'Pix', total: amount, next });
const signIn = { device: 'Android', model: 'SM-A5', ip: '203.0.113.7', at: Date.UTC(2026, 10, 21, 15, 4) };

const renewal = { planName: 'Anual', price: amount, last4: '4242' };
const stop = 'https://lumen.example:8443/renewal?token=abc&language=pt';
const refusal = { ...renewal, retry: 1, retries: 3, graceUntil: until, paidUntil: until };
const off = { ...renewal, endsAt: until };
const coupon = { code: '2468', off: 20, plans: ['Anual'], firstPurchaseOnly: false, startsAt: null, endsAt: until };
const leaving = { account: '5511987650001', leavesAt: until, retentionYears: 10 };

const cancelled = { orderId: 'ABCDEFGH', planName: 'Anual', methodName: 'Pix', amount };

/** Every SMS about a renewal. */
const texts: RenewalSms[] = [
  { kind: 'notice', price: amount, chargeAt: until, url: stop },
  { kind: 'refused', retryAt: until, accessUntil: until },
  { kind: 'refused', retryAt: null, accessUntil: until },
  { kind: 'confirm', orderId: 'ABCDEFGH', payUntil: until },
  { kind: 'asks', newPrice: amount, endsAt: until },
  { kind: 'card', chargeAt: until, isLeft: false },
  { kind: 'card', chargeAt: until, isLeft: true },
  { kind: 'ended', planId: '101' },
  { kind: 'off', endsAt: until, by: 'shop' },
];

/** Every mail that the shop sends, by name. */
const mails: Record<string, (from: Brand, language: Language) => MailText> = {
  receipt: (from, language) => receiptMail(from, language, receipt),
  welcome: (from, language) => welcomeMail(from, language),
  'welcome that confirms': (from, language) => welcomeMail(from, language, link),
  confirm: (from, language) => confirmMail(from, language, link),
  reset: (from, language) => resetMail(from, language, link),
  bind: (from, language) => bindMail(from, language, link),
  'account exists': accountExistsMail,
  ...Object.fromEntries(Object.entries(steps).map(([name, next]) => [`reminder of ${name}`, reminderOf(next)])),
  'renewal to come': (from, language) => renewalNoticeMail(from, language, { ...renewal, chargeAt: until, url: stop }),
  'renewal refused': (from, language) => renewalRefusedMail(from, language, { ...refusal, retryAt: until }),
  'renewal refused at last': (from, language) => renewalRefusedMail(from, language, { ...refusal, retryAt: null }),
  'renewal refused without grace': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, graceUntil: null, retryAt: until }),
  'renewal refused at last without grace': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, graceUntil: null, retryAt: null }),
  'renewal to confirm': (from, language) =>
    renewalConfirmMail(from, language, { ...renewal, orderId: 'ABCDEFGH', payUntil: until }),
  'renewal at a new price': (from, language) => renewalPriceMail(from, language, { ...off, newPrice: amount }),
  'renewal without a card': (from, language) =>
    renewalCardMail(from, language, { ...renewal, last4: null, chargeAt: until, isLeft: false }),
  'renewal by a card of another provider': (from, language) =>
    renewalCardMail(from, language, { ...renewal, chargeAt: until, isLeft: true }),
  'renewal ended': (from, language) => renewalEndedMail(from, language, { ...renewal, planId: '101' }),
  'renewal off': (from, language) => renewalOffMail(from, language, { ...off, by: 'customer' }),
  'renewal off by the shop': (from, language) => renewalOffMail(from, language, { ...off, by: 'shop' }),
  'renewal off by a refund': (from, language) => renewalOffMail(from, language, { ...off, by: 'reversal' }),
  ...Object.fromEntries(
    (['on', 'card', 'price'] as const).map((chose) => [
      `renewal confirmed: ${chose}`,
      (from: Brand, language: Language) => renewalChosenMail(from, language, { ...renewal, chargeAt: until, chose }),
    ]),
  ),
  'receipt that confirms a renewal': (from, language) =>
    receiptMail(from, language, { ...receipt, renewal: { price: amount, chargeAt: until } }),
  'order cancelled by its customer': (from, language) =>
    withdrawalMail(from, language, { ...cancelled, byHand: false, renewalOff: true }),
  'order cancelled that is refunded by hand': (from, language) =>
    withdrawalMail(from, language, { ...cancelled, byHand: true, renewalOff: false }),
  'refund refused': (from, language) => withdrawalRefusedMail(from, language, { ...cancelled, words: null }),
  coupon: (from, language) => couponMail(from, language, coupon),
  'coupon of an amount that begins later': (from, language) =>
    couponMail(from, language, { ...coupon, off: amount, plans: [], firstPurchaseOnly: true, startsAt: until }),
  'email changed': (from, language) => contactChangedMail(from, language, { type: 'email', to: 'a***@b.c', url: link }),
  'number changed': (from, language) => contactChangedMail(from, language, { type: 'phone', to: '*** 01', url: link }),
  'email changed that nobody had confirmed': (from, language) =>
    contactChangedMail(from, language, { type: 'email', to: 'a***@b.c', url: undefined }),
  'password changed': (from, language) => passwordChangedMail(from, language, { at: until, passkeys: 0 }),
  'password changed that removed a passkey': (from, language) =>
    passwordChangedMail(from, language, { at: until, passkeys: 1 }),
  'password changed that removed passkeys': (from, language) =>
    passwordChangedMail(from, language, { at: until, passkeys: 3 }),
  'number removed': (from, language) => phoneRemovedMail(from, language, { removed: '*** 01', url: link }),
  'deletion asked for': (from, language) => deletionRequestedMail(from, language, { ...leaving, charging: false }),
  'deletion asked for during a charge': (from, language) =>
    deletionRequestedMail(from, language, { ...leaving, charging: true }),
  'new sign-in': (from, language) => newSignInMail(from, language, signIn),
  ...Object.fromEntries(
    scenes.map((scene) => [
      `code for ${scene}`,
      (from: Brand, language: Language) => codeMail(from, language, { code: '4071', scene }),
    ]),
  ),
};
const each = Object.entries(mails);
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && line !== brand.name);
const unescaped = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

it('a mail carries names and values as text, never as markup', () => {
  const { html } = renderMail({ name: evil, themeColor: 'red;}</style>', wordings: {} }, 'en', {
    subject: evil,
    paragraphs: [evil],
    code: evil,
    rows: [[evil, evil]],
    notes: [evil],
    button: { label: evil, url: `https://a/"${evil}` },
    closing: evil,
  });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('</style>');
});

it.each(languages)('an email that wants something never says that there is nothing to do, in %s', (language) => {
  const nothing = reminderOf({ type: 'none' })(brand, language)
    .text.split('\n')
    .filter((line) => line !== '')
    .at(-3);
  const rejected = Object.entries(steps).filter(([, next]) => next.type === 'upload');
  expect(rejected.length).toBeGreaterThan(0);
  for (const [, next] of rejected) {
    for (const proof of ['none', 'rejected'] as const) {
      const mail = reminderOf({ ...next, proof } as NextStep)(brand, language); // as: a step of this type has a proof
      expect(mail.text).not.toContain(nothing);
      expect(mail.html).not.toContain(nothing);
    }
  }
});

it('an email names the time in the time zone of the brand, which it names, and its days by that calendar', () => {
  const late = Date.UTC(2026, 10, 27, 2, 30);
  const zoned = (timeZone: string): Brand => ({ ...brand, config: { ...brand.config, timeZone } });
  const reminder = (timeZone: string) =>
    reminderMail(zoned(timeZone), 'en', {
      orderId: 'ABCDEFGH',
      planName: 'Anual',
      methodName: 'Pix',
      total: amount,
      next: { type: 'redirect', url: 'https://bank.example/pay', expiresAt: late },
    }).text;
  expect(reminder('America/Sao_Paulo')).toMatch(/November 26, 2026 at 11:30.PM \(GMT-3\)/);
  expect(reminder('UTC')).toMatch(/November 27, 2026 at 2:30.AM \(UTC\)/);
  expect(renewalOffMail(zoned('America/Sao_Paulo'), 'en', { ...off, endsAt: late, by: 'shop' }).text).toContain(
    'November 26, 2026',
  );
  // daylight saving time: one hour ahead
  const summer = renewalOffMail(zoned('Europe/Berlin'), 'en', { ...off, endsAt: Date.UTC(2026, 6, 1, 22), by: 'shop' });
  expect(summer.text).toContain('July 2, 2026');
});

describe.each(each)('the mail "%s"', (_, write) => {
  it.each(languages)('says the same in text and HTML, and declares its language, in %s', (language) => {
    const { subject, text, html } = write(brand, language);
    expect(subject).not.toBe('');
    expect(html).toContain(`<html lang="${language}">`);
    const flat = unescaped(html);
    for (const line of linesOf(text)) {
      // in HTML the label and the value of a row or a button are in separate elements
      for (const part of flat.includes(line) ? [] : line.split(/: (?=\S+$)|: /)) expect(flat).toContain(part);
    }
    expect(unescaped(html.replaceAll(/<[^>]*>/g, ''))).not.toMatch(/undefined|null|\[object|&\w+;/);
  });

  it('is translated, line by line', () => {
    const inEnglish = new Set([...linesOf(write(brand, 'en').text), write(brand, 'en').subject]);
    for (const language of languages.filter((one) => one !== 'en')) {
      const { subject, text } = write(brand, language);
      const prose = [subject, ...linesOf(text)].filter((line) => /\p{L}{2}.*( .*\p{L}{2}){2}/u.test(line));
      expect(prose.filter((line) => inEnglish.has(line))).toEqual([]);
      const letters = text.replaceAll(/https?:\S+|Lumen|Smart TV|Android, SM-A5|\bIP\b|\bUTC\b|Pix|Anual|BRL/g, '');
      if (language === 'ru') expect(letters).not.toMatch(/[a-z]{4}/);
    }
  });

  it('lets no brand’s name become markup, and links to nothing but the brand', () => {
    const { html } = write({ ...brand, name: evil }, 'en');
    expect(html).not.toContain('<img');
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
    expect(hrefs.filter((href) => !href.startsWith(`${brand.origin}/`))).toEqual([]);
    expect(write(brand, 'en').html).not.toMatch(/<(script|img|link|iframe)|src=|url\(/);
  });
});

it('the receipt shows the total with its currency', () => {
  expect(receiptMail(brand, 'en', receipt).text).toMatch(/R\$.49,90|R\$49\.90|49,90.R\$/);
});

it('a mail about a new sign-in names device, place and time, and describes an unknown device', () => {
  const { text } = newSignInMail(brand, 'en', signIn);
  expect(text).toContain('Device: Android, SM-A5');
  expect(text).toContain('IP address: 203.0.113.7');
  expect(text).toMatch(/Time: November 21, 2026 at 3:04.PM \(UTC\)/);
  expect(text).toContain('https://lumen.example:8443/forgot-password?la=en');
  expect(newSignInMail(brand, 'pt', { ...signIn, device: '', model: '' }).text).toContain('Aparelho: Desconhecido');
});

describe('an SMS', () => {
  it.each(languages)('with a code binds it to the brand’s host in its last line, in %s', (language) => {
    const texts = scenes.map((scene) => codeSms(brand, language, { code: '0421', scene }));
    expect(new Set(texts).size).toBe(scenes.length);
    for (const text of texts) {
      expect(text.startsWith('Lumen: 0421 ')).toBe(true);
      expect(text.split('\n').at(-1)).toBe('@lumen.example #0421');
    }
  });

  it.each(languages)(
    'about a renewal is one sentence or two with one link to the brand at its end, in %s',
    (language) => {
      const said = texts.map((sms) => renewalSms(brand, language, sms));
      expect(new Set(said).size).toBe(texts.length);
      for (const text of said) {
        expect(text).toMatch(/^Lumen: [^\n]+ https:\/\/lumen\.example:8443\/\S+$/);
        expect(text.match(/https:/g)).toHaveLength(1);
        // without the link, at most three messages: 67 characters each outside the GSM alphabet (3GPP TS 23.038)
        expect(text.replace(/https:\S+$/, '').length).toBeLessThanOrEqual(3 * 67);
        expect(text).not.toMatch(/\u00A0|undefined|null/);
      }
      const english = new Set(texts.map((sms) => renewalSms(brand, 'en', sms)));
      if (language !== 'en') expect(said.filter((text) => english.has(text))).toEqual([]);
    },
  );

  it.each(languages)('to the owner of an account contains no code and links to the shop, in %s', (language) => {
    expect(accountExistsSms(brand, language)).toMatch(new RegExp(`^Lumen: .* ${brand.origin}/login\\?la=${language}$`));
  });
});
