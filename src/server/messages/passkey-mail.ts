import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { i18nIn, timeIn } from '../i18n/i18n.ts';
import { layOut, type MailText } from './mail-text.ts';

/** Tells that a passkey was added, because it opens the account from then on. `createdAt` is epoch milliseconds. */
export function passkeyMail(
  brand: Brand,
  language: Language,
  { name: passkey, createdAt }: { readonly name: string; readonly createdAt: number },
): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return layOut(brand, language, {
    subject: i18n._({ id: 'mail.passkey.subject', message: 'A new passkey for {name}', values: { name } }),
    paragraphs: [
      i18n._({
        id: 'mail.passkey.intro',
        message: 'A passkey was added to your {name} account. From now on it signs in without a password.',
        values: { name },
      }),
      i18n._({
        id: 'mail.passkey.wasNotYou',
        message: 'If it was not you, set a new password now. That removes every passkey and signs out every device.',
      }),
    ],
    rows: [
      [i18n._({ id: 'mail.passkey.name', message: 'Passkey' }), passkey],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), timeIn(brand, language, createdAt)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

/** Reports that a passkey was removed: its owner may not have removed it. `removedAt` is epoch milliseconds. */
export function passkeyRemovedMail(
  brand: Brand,
  language: Language,
  { name: passkey, removedAt }: { readonly name: string; readonly removedAt: number },
): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return layOut(brand, language, {
    subject: i18n._({
      id: 'mail.passkeyRemoved.subject',
      message: 'A passkey was removed from your {name} account',
      values: { name },
    }),
    paragraphs: [
      i18n._({
        id: 'mail.passkeyRemoved.intro',
        message: 'A passkey was removed from your {name} account. It can no longer be used to log in.',
        values: { name },
      }),
      i18n._({
        id: 'mail.passkey.wasNotYou',
        message: 'If it was not you, set a new password now. That removes every passkey and signs out every device.',
      }),
    ],
    rows: [
      [i18n._({ id: 'mail.passkey.name', message: 'Passkey' }), passkey],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), timeIn(brand, language, removedAt)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}
