import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn, timeIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

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
    subject: i18n._({ id: 'mail.passwordChanged.subject', message: 'A new password for {name}', values }),
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
                '{count, plural, one {Your passkey was} other {Your # passkeys were}} removed with the old password. You can add a passkey again in the settings.',
              values,
            }),
          ]),
      i18n._({ id: 'mail.newSignIn.wasYou', message: 'If it was you, all is well and there is nothing to do.' }),
      i18n._({
        id: 'mail.newSignIn.wasNotYou',
        message: 'If it was not, set a new password now. That signs out every device.',
      }),
    ],
    rows: [[i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), timeIn(brand, language, at)]],
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
