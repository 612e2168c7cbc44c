import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn, timeIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

interface PasskeyEvent {
  readonly name: string;
  /** epoch milliseconds */
  readonly at: number;
}

/** Reports that a passkey was added, because it can sign in to the account from then on. */
export function passkeyMail(brand: Brand, language: Language, added: PasskeyEvent): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name };
  return passkeyReport(brand, language, added, {
    subject: i18n._({ id: 'mail.passkey.subject', message: 'A new passkey for {name}', values }),
    intro: i18n._({
      id: 'mail.passkey.intro',
      message: 'A passkey was added to your {name} account. From now on it signs in without a password.',
      values,
    }),
  });
}

/** Reports that a passkey was removed, because its owner may not have removed it. */
export function passkeyRemovedMail(brand: Brand, language: Language, removed: PasskeyEvent): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name };
  return passkeyReport(brand, language, removed, {
    subject: i18n._({
      id: 'mail.passkeyRemoved.subject',
      message: 'A passkey was removed from your {name} account',
      values,
    }),
    intro: i18n._({
      id: 'mail.passkeyRemoved.intro',
      message: 'A passkey was removed from your {name} account. It can no longer be used to log in.',
      values,
    }),
  });
}

function passkeyReport(
  brand: Brand,
  language: Language,
  { name, at }: PasskeyEvent,
  { subject, intro }: { readonly subject: string; readonly intro: string },
): MailText {
  const i18n = i18nIn(language, brand);
  return renderMail(brand, language, {
    subject,
    paragraphs: [
      intro,
      i18n._({
        id: 'mail.passkey.wasNotYou',
        message: 'If it was not you, set a new password now. That removes every passkey and signs out every device.',
      }),
    ],
    rows: [
      [i18n._({ id: 'mail.passkey.name', message: 'Passkey' }), name],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), timeIn(brand, language, at)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}
