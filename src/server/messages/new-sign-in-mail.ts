import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn, timeIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

/** A sign-in from a new device. `at` is epoch milliseconds; device and model may be empty. */
export interface NewSignIn {
  readonly device: string;
  readonly model: string;
  readonly ip: string;
  readonly at: number;
}

/** Notifies a customer of a sign-in from a device that is new to the account. */
export function newSignInMail(brand: Brand, language: Language, { device, model, ip, at }: NewSignIn): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  const unknown = i18n._({ id: 'mail.newSignIn.unknown', message: 'Unknown' });
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.newSignIn.subject', message: 'New sign-in to {name}', values: { name } }),
    paragraphs: [
      i18n._({
        id: 'mail.newSignIn.intro',
        message: 'Someone has just signed in to your {name} account on a device that we have not seen before.',
        values: { name },
      }),
      i18n._({
        id: 'mail.newSignIn.wasYou',
        message: 'If it was you, all is well and there is nothing to do.',
      }),
      i18n._({
        id: 'mail.newSignIn.wasNotYou',
        message: 'If it was not, set a new password now. That signs out every device.',
      }),
    ],
    rows: [
      [
        i18n._({ id: 'mail.newSignIn.device', message: 'Device' }),
        [device, model].filter((part) => part !== '').join(', ') || unknown,
      ],
      [i18n._({ id: 'mail.newSignIn.ip', message: 'IP address' }), ip],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), timeIn(brand, language, at)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}
