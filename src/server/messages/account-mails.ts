import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn, formatDateTime } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

/**
 * Welcomes a new customer. With `confirmUrl` (from `makeMailLink('confirm')`) it also requests confirmation of the
 * address.
 */
export function welcomeMail(brand: Brand, language: Language, confirmUrl?: string): MailText {
  const i18n = i18nIn(language, brand);
  const { name, origin } = brand;
  const ready = i18n._({
    id: 'mail.welcome.ready',
    message: 'Your account is ready. You can choose a plan now and watch on your phone, TV box or smart TV.',
  });
  const confirm = i18n._({
    id: 'mail.welcome.confirm',
    message:
      'One thing is left: please confirm that this address is yours, so that you never lose your account. The button works for 24 hours.',
  });
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.welcome.subject', message: 'Welcome to {name}', values: { name } }),
    paragraphs: confirmUrl === undefined ? [ready] : [ready, confirm],
    button:
      confirmUrl === undefined
        ? {
            label: i18n._({ id: 'mail.welcome.plans', message: 'See the plans' }),
            url: `${origin}/pricing-table?la=${language}`,
          }
        : { label: i18n._({ id: 'mail.welcome.button', message: 'Confirm my address' }), url: confirmUrl },
    notes: [
      i18n._({
        id: 'mail.welcome.stranger',
        message: 'If you did not create this account, you can ignore this mail.',
      }),
    ],
  });
}

/** Requests confirmation of an account's address; `url` is from `makeMailLink('confirm')`. */
export function confirmMail(brand: Brand, language: Language, url: string): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return renderMail(brand, language, {
    subject: i18n._({
      id: 'mail.confirm.subject',
      message: 'Please confirm your address for {name}',
      values: { name },
    }),
    paragraphs: [
      i18n._({
        id: 'mail.confirm.intro',
        message: 'One tap, and we know that this address of your {name} account is yours:',
        values: { name },
      }),
    ],
    button: { label: i18n._({ id: 'mail.confirm.button', message: 'Confirm my address' }), url },
    notes: [
      i18n._({ id: 'mail.confirm.lifetime', message: 'The link works for 24 hours.' }),
      i18n._({
        id: 'mail.confirm.stranger',
        message: 'If you did not create this account, you can ignore this mail.',
      }),
    ],
  });
}

/** Requests confirmation before an address is added to an account; `url` is from `makeMailLink('bind')`. */
export function bindMail(brand: Brand, language: Language, url: string): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.bind.subject', message: 'Add this address to your {name} account', values: { name } }),
    paragraphs: [
      i18n._({
        id: 'mail.bind.intro',
        message:
          'This address is to be added to a {name} account, for receipts and for a new password when it is needed. Is it yours?',
        values: { name },
      }),
    ],
    button: { label: i18n._({ id: 'mail.bind.button', message: 'Yes, add it' }), url },
    notes: [
      i18n._({ id: 'mail.bind.lifetime', message: 'The link works once, within 24 hours.' }),
      i18n._({
        id: 'mail.bind.stranger',
        message: 'If you know nothing of it, you can ignore this mail. Nothing is added without your tap.',
      }),
    ],
  });
}

/**
 * Sent instead of a sign-up code to an address that already has an account, so that only its owner learns that it
 * exists.
 */
export function accountExistsMail(brand: Brand, language: Language): MailText {
  const i18n = i18nIn(language, brand);
  const { name, origin } = brand;
  return renderMail(brand, language, {
    subject: i18n._({
      id: 'mail.accountExists.subject',
      message: 'You already have a {name} account',
      values: { name },
    }),
    paragraphs: [
      i18n._({
        id: 'mail.accountExists.intro',
        message:
          'Someone, probably you, wanted to create a {name} account with this address. There is one already, so just log in:',
        values: { name },
      }),
    ],
    button: {
      label: i18n._({ id: 'mail.accountExists.button', message: 'Log in' }),
      url: `${origin}/login?la=${language}`,
    },
    notes: [
      i18n._({
        id: 'mail.accountExists.forgotten',
        message: 'If you do not remember your password, you can choose a new one from the same page.',
      }),
      i18n._({
        id: 'mail.accountExists.stranger',
        message: 'If it was not you, you can ignore this mail. Your account is as it was.',
      }),
    ],
  });
}

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
    subject: i18n._({ id: 'mail.newSignIn.subject', message: 'New login to {name}', values: { name } }),
    paragraphs: [
      i18n._({
        id: 'mail.newSignIn.intro',
        message: 'Someone has just logged in to your {name} account on a device that we have not seen before.',
        values: { name },
      }),
      i18n._({
        id: 'mail.newSignIn.wasYou',
        message: 'If it was you, all is well and there is nothing to do.',
      }),
      i18n._({
        id: 'mail.newSignIn.wasNotYou',
        message: 'If it was not, set a new password now. That logs out every device.',
      }),
    ],
    rows: [
      [
        i18n._({ id: 'mail.newSignIn.device', message: 'Device' }),
        [device, model].filter((part) => part !== '').join(', ') || unknown,
      ],
      [i18n._({ id: 'mail.newSignIn.ip', message: 'IP address' }), ip],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), formatDateTime(brand, language, at)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

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
      message: 'A passkey was added to your {name} account. From now on it logs in without a password.',
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
        message: 'If it was not you, set a new password now. That removes every passkey and logs out every device.',
      }),
    ],
    rows: [
      [i18n._({ id: 'mail.passkey.name', message: 'Passkey' }), name],
      [i18n._({ id: 'mail.newSignIn.time', message: 'Time' }), formatDateTime(brand, language, at)],
    ],
    button: {
      label: i18n._({ id: 'mail.newSignIn.button', message: 'Set a new password' }),
      url: `${brand.origin}/forgot-password?la=${language}`,
    },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}
