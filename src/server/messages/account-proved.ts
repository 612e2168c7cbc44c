import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

/** What the first verification of an account removes besides sessions, in the order in which the mail lists it. */
export const removable = ['password', 'email', 'phone', 'google', 'passkeys'] as const;
export type RemovedPart = (typeof removable)[number];

/** Tells the owner of an address what was removed when it was confirmed for the first time. */
export function accountProvedMail(brand: Brand, language: Language, removed: readonly RemovedPart[]): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name };
  const names: Record<RemovedPart, () => string> = {
    password: () => i18n._({ id: 'mail.accountProved.password', message: 'the password' }),
    email: () => i18n._({ id: 'mail.accountProved.email', message: 'the email' }),
    phone: () => i18n._({ id: 'mail.accountProved.phone', message: 'the phone number' }),
    google: () => i18n._({ id: 'mail.accountProved.google', message: 'the Google account' }),
    passkeys: () => i18n._({ id: 'mail.accountProved.passkeys', message: 'all passkeys' }),
  };
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(removed.map((part) => names[part]()));
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.accountProved.subject', message: 'Your {name} account is confirmed', values }),
    paragraphs: [
      i18n._({
        id: 'mail.accountProved.intro',
        message: 'This address is now confirmed as yours. Your plans and orders are unchanged.',
      }),
      i18n._({
        id: 'mail.accountProved.removed',
        message:
          'Until now anyone could have entered this address. To keep others out, we logged out all other devices and removed: {list}.',
        values: { list },
      }),
      i18n._({
        id: 'mail.accountProved.again',
        message: 'If these were yours, you can set a new password now and add the rest again in the settings.',
      }),
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

/** The same for a phone number. */
export function accountProvedSms(brand: Pick<Brand, 'name' | 'wordings'>, language: Language): string {
  const i18n = i18nIn(language, brand);
  const text = i18n._({
    id: 'sms.accountProved',
    message: 'your number is confirmed. Other ways into your account were removed. Set a new password.',
  });
  return `${brand.name}: ${text}`;
}
