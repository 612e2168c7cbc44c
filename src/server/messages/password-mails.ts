import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn, formatDateTime } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';
import type { I18n } from '@lingui/core';

interface PasswordChange {
  /** epoch milliseconds */
  readonly at: number;
  /** number of passkeys that the password change removed */
  readonly passkeys: number;
}

/** Reports a new password and the removed passkeys, because the owner may not have changed it. */
export function passwordChangedMail(brand: Brand, language: Language, { at, passkeys }: PasswordChange): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name, count: passkeys };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.passwordChanged.subject', message: 'New password for {name}', values }),
    paragraphs: [
      i18n._({
        id: 'mail.passwordChanged.intro',
        message: 'A new password was set for your {name} account, and every device was logged out.',
        values,
      }),
      ...(passkeys === 0
        ? []
        : [
            i18n._({
              id: 'mail.passwordChanged.passkeys',
              message:
                '{count, plural, one {Your passkey was} other {Your # passkeys were}} removed with the old password. You can add a passkey again in your settings.',
              values,
            }),
          ]),
      i18n._({ id: 'mail.newSignIn.wasYou', message: 'If it was you, there’s nothing to do.' }),
      i18n._({
        id: 'mail.newSignIn.wasNotYou',
        message: 'If it wasn’t, set a new password now. That logs out every device.',
      }),
    ],
    rows: [[i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), formatDateTime(brand, language, at)]],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

/** The same by SMS, for an account without an email address. */
export function passwordChangedSms(brand: Pick<Brand, 'name' | 'origin' | 'wordings'>, language: Language): string {
  const i18n = i18nIn(language, brand);
  const text = i18n._({
    id: 'sms.passwordChanged',
    message: 'your account has a new password. Not you? {help}',
    values: { help: `${brand.origin}/help` },
  });
  return `${brand.name}: ${text}`;
}

/** What the first verification of an account removes besides sessions, in the order in which the mail lists it. */
export const removable = ['password', 'email', 'phone', 'google', 'passkeys'] as const;
export type RemovedPart = (typeof removable)[number];

/** Tells the owner of an address what was removed when it was confirmed for the first time. */
export function accountVerifiedMail(brand: Brand, language: Language, removed: readonly RemovedPart[]): MailText {
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
          'Until now, anyone could have entered this address. To protect your account, we logged out all other devices and removed: {list}.',
        values: { list },
      }),
      i18n._({
        id: 'mail.accountProved.again',
        message: 'If these were yours, set a new password now and add the rest again in your settings.',
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
export function accountVerifiedSms(brand: Pick<Brand, 'name' | 'wordings'>, language: Language): string {
  const i18n = i18nIn(language, brand);
  const text = i18n._({
    id: 'sms.accountProved',
    message: 'your number is confirmed. Other ways to log in were removed. Set a new password.',
  });
  return `${brand.name}: ${text}`;
}

interface Kind {
  /** the link is valid for four hours */
  readonly lasts?: boolean;
  /** sent instead of a code that could not be used */
  readonly instead?: boolean;
}

/** A link to choose a new password; `url` is from `makeMailLink('reset')`. */
export function resetMail(
  brand: Brand,
  language: Language,
  url: string,
  { lasts = false, instead = false }: Kind = {},
): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.reset.subject', message: 'Your new password for {name}', values: { name } }),
    paragraphs: [instead ? insteadOfCode(i18n, name) : asRequested(i18n, name)],
    button: { label: i18n._({ id: 'mail.reset.button', message: 'Choose a new password' }), url },
    notes: [
      lasts
        ? i18n._({
            id: 'mail.reset.fourHours',
            message: 'The link works once, for 4 hours. After that, you’ll have to log in again on all your devices.',
          })
        : i18n._({
            id: 'mail.reset.halfAnHour',
            message:
              'The link works once, for 30 minutes. After that, you’ll have to log in again on all your devices.',
          }),
      i18n._({
        id: 'mail.reset.stranger',
        message: 'If you didn’t request this, you can ignore this email. Your password stays the same.',
      }),
    ],
  });
}

const asRequested = (i18n: I18n, name: string) =>
  i18n._({
    id: 'mail.reset.intro',
    message: 'You requested a new password for your {name} account. Choose it here:',
    values: { name },
  });

const insteadOfCode = (i18n: I18n, name: string) =>
  i18n._({
    id: 'mail.reset.insteadOfCode',
    message:
      'Too many codes were requested or tried for your {name} account today, perhaps by someone else. So instead of a code, here’s a link to choose a new password:',
    values: { name },
  });
