import { codeSceneSchema } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { Brand } from '#server/brand/catalog.ts';
import {
  accountExistsMail,
  bindMail,
  confirmMail,
  welcomeMail,
  newSignInMail,
} from '#server/messages/account-mails.ts';
import { codeMail } from '#server/messages/code-messages.ts';
import { contactChangedMail, phoneRemovedMail } from '#server/messages/contact-changed.ts';
import { couponMail } from '#server/messages/offer-mails.ts';
import { deletionRequestedMail } from '#server/messages/deletion-mails.ts';
import type { MailText } from '#server/messages/mail-html.ts';
import { receiptMail, reminderMail } from '#server/messages/order-mails.ts';
import { passwordChangedMail, resetMail } from '#server/messages/password-mails.ts';
import {
  renewalCardMail,
  renewalConfirmMail,
  renewalNoticeMail,
  renewalRefusedMail,
} from '#server/messages/renewal-mails.ts';
import {
  renewalChosenMail,
  daysGivenMail,
  renewalOffMail,
  renewalEndedMail,
  renewalPriceMail,
} from '#server/messages/renewal-chosen-mail.ts';
import { withdrawalMail, withdrawalRefusedMail } from '#server/messages/withdrawal-mails.ts';
import type { RenewalSms } from '#server/messages/renewal-sms.ts';

const config = { login: {}, payment: { defaultCurrency: 'BRL' }, timeZone: 'UTC' };
/** The brand of the samples. Only these fields are read. */
export const brand = { name: 'Lumen', themeColor: '#6D3BEB', origin: 'https://lumen.example:8443', config } as Brand;

const link = 'https://lumen.example:8443/activate?token=abc&language=pt';
export const codeScenes = [...codeSceneSchema.options, 'confirm'] as const;

export const receipt = {
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
export const amount = receipt.total;
/** The next step of each payment method. */
export const paymentSteps: Record<string, NextStep> = {
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
export const reminderOf = (next: NextStep) => (from: Brand, language: Language) =>
  reminderMail(from, language, { orderId: 'ABCDEFGH', planName: 'Anual', methodName: 'Pix', total: amount, next });
export const signIn = { device: 'Android', model: 'SM-A5', ip: '203.0.113.7', at: Date.UTC(2026, 10, 21, 15, 4) };

const renewal = { planName: 'Anual', price: amount, last4: '4242' };
const byPaypal = { ...renewal, last4: null, account: 'a***@example.com' };
const stop = 'https://lumen.example:8443/renewal?token=abc&language=pt';
const refusal = { ...renewal, retry: 1, retries: 3, graceUntil: until, paidUntil: until };
export const renewalOff = { ...renewal, endsAt: until };
const coupon = { code: '2468', off: 20, plans: ['Anual'], firstPurchaseOnly: false, startsAt: null, endsAt: until };
const leaving = { account: '5511987650001', leavesAt: until, retentionYears: 10 };

const cancelled = { orderId: 'ABCDEFGH', planName: 'Anual', methodName: 'Pix', amount };

/** Every SMS about a renewal. */
export const renewalTexts: RenewalSms[] = [
  { kind: 'notice', price: amount, chargeAt: until, url: stop },
  { kind: 'refused', retryAt: until, accessUntil: until },
  { kind: 'refused', retryAt: null, accessUntil: until },
  { kind: 'notice', isPaypal: true, price: amount, chargeAt: until, url: stop },
  { kind: 'refused', isPaypal: true, retryAt: until, accessUntil: until },
  { kind: 'refused', isPaypal: true, retryAt: null, accessUntil: until },
  { kind: 'confirm', orderId: 'ABCDEFGH', payUntil: until },
  { kind: 'asks', newPrice: amount, endsAt: until },
  { kind: 'card', chargeAt: until, isLeft: false },
  { kind: 'card', chargeAt: until, isLeft: true },
  { kind: 'ended', planId: '101' },
  { kind: 'off', endsAt: until, by: 'shop' },
];

/** Every mail that the shop sends, by name. */
export const mails: Record<string, (from: Brand, language: Language) => MailText> = {
  receipt: (from, language) => receiptMail(from, language, receipt),
  welcome: (from, language) => welcomeMail(from, language),
  'welcome that confirms': (from, language) => welcomeMail(from, language, link),
  confirm: (from, language) => confirmMail(from, language, link),
  reset: (from, language) => resetMail(from, language, link),
  bind: (from, language) => bindMail(from, language, link),
  'account exists': accountExistsMail,
  ...Object.fromEntries(Object.entries(paymentSteps).map(([name, next]) => [`reminder of ${name}`, reminderOf(next)])),
  'renewal to come': (from, language) => renewalNoticeMail(from, language, { ...renewal, chargeAt: until, url: stop }),
  'renewal refused': (from, language) => renewalRefusedMail(from, language, { ...refusal, retryAt: until }),
  'renewal refused at last': (from, language) => renewalRefusedMail(from, language, { ...refusal, retryAt: null }),
  'renewal refused without grace': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, graceUntil: null, retryAt: until }),
  'renewal refused at last without grace': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, graceUntil: null, retryAt: null }),
  'renewal to confirm': (from, language) =>
    renewalConfirmMail(from, language, { ...renewal, orderId: 'ABCDEFGH', payUntil: until }),
  'renewal at a new price': (from, language) => renewalPriceMail(from, language, { ...renewalOff, newPrice: amount }),
  'renewal without a card': (from, language) =>
    renewalCardMail(from, language, { ...renewal, last4: null, chargeAt: until, isLeft: false }),
  'renewal by a card of another provider': (from, language) =>
    renewalCardMail(from, language, { ...renewal, chargeAt: until, isLeft: true }),
  'renewal by PayPal to come': (from, language) =>
    renewalNoticeMail(from, language, { ...byPaypal, chargeAt: until, url: stop }),
  'renewal refused by PayPal': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, ...byPaypal, retryAt: until }),
  'renewal refused by PayPal at last': (from, language) =>
    renewalRefusedMail(from, language, { ...refusal, ...byPaypal, retryAt: null }),
  'renewal to confirm at PayPal': (from, language) =>
    renewalConfirmMail(from, language, { ...byPaypal, orderId: 'ABCDEFGH', payUntil: until }),
  'renewal chosen by PayPal': (from, language) =>
    renewalChosenMail(from, language, { ...byPaypal, chargeAt: until, chose: 'card' }),
  'renewal off by PayPal': (from, language) =>
    renewalOffMail(from, language, { ...byPaypal, endsAt: until, by: 'provider' }),
  'renewal ended': (from, language) => renewalEndedMail(from, language, { ...renewal, planId: '101' }),
  'renewal off': (from, language) => renewalOffMail(from, language, { ...renewalOff, by: 'customer' }),
  'renewal off by support': (from, language) => renewalOffMail(from, language, { ...renewalOff, by: 'support' }),
  'days that support gave': (from, language) => daysGivenMail(from, language, { days: 7, endsAt: until }),
  'renewal off by the shop': (from, language) => renewalOffMail(from, language, { ...renewalOff, by: 'shop' }),
  'renewal off by a refund': (from, language) => renewalOffMail(from, language, { ...renewalOff, by: 'reversal' }),
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
    codeScenes.map((scene) => [
      `code for ${scene}`,
      (from: Brand, language: Language) => codeMail(from, language, { code: '4071', scene }),
    ]),
  ),
};
