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
    message: 'Your account is ready. Choose a plan and watch on your phone, TV box or smart TV.',
  });
  const confirm = i18n._({
    id: 'mail.welcome.confirm',
    message:
      'One last thing: please confirm this address is yours, so you never lose your account. The button works for 24 hours.',
  });
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.welcome.subject', message: 'Welcome to {name}', values: { name } }),
    paragraphs: confirmUrl === undefined ? [ready] : [ready, confirm],
    button:
      confirmUrl === undefined
        ? {
            label: i18n._({ id: 'mail.welcome.plans', message: 'See plans' }),
            url: `${origin}/pricing-table?la=${language}`,
          }
        : { label: i18n._({ id: 'mail.welcome.button', message: 'Confirm my address' }), url: confirmUrl },
    notes: [
      i18n._({
        id: 'mail.welcome.stranger',
        message: 'If you didn’t create this account, you can ignore this email.',
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
        message: 'Just one tap to confirm that the address of your {name} account is yours:',
        values: { name },
      }),
    ],
    button: { label: i18n._({ id: 'mail.confirm.button', message: 'Confirm my address' }), url },
    notes: [
      i18n._({ id: 'mail.confirm.lifetime', message: 'The link works for 24 hours.' }),
      i18n._({
        id: 'mail.confirm.stranger',
        message: 'If you didn’t create this account, you can ignore this email.',
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
          'Someone wants to add this address to an account at {name}, to get receipts and reset the password. Is it yours?',
        values: { name },
      }),
    ],
    button: { label: i18n._({ id: 'mail.bind.button', message: 'Yes, add it' }), url },
    notes: [
      i18n._({ id: 'mail.bind.lifetime', message: 'The link works once, within 24 hours.' }),
      i18n._({
        id: 'mail.bind.stranger',
        message: 'If this wasn’t you, you can ignore this email. Nothing is added unless you tap.',
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
      message: 'You already have an account at {name}',
      values: { name },
    }),
    paragraphs: [
      i18n._({
        id: 'mail.accountExists.intro',
        message:
          'Someone, probably you, tried to create an account at {name} with this address. You already have one, so just log in:',
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
        message: 'Forgot your password? You can choose a new one on the same page.',
      }),
      i18n._({
        id: 'mail.accountExists.stranger',
        message: 'If it wasn’t you, you can ignore this email. Nothing has changed in your account.',
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
        message: 'Someone just logged in to your {name} account on a device we haven’t seen before.',
        values: { name },
      }),
      i18n._({
        id: 'mail.newSignIn.wasYou',
        message: 'If it was you, there’s nothing to do.',
      }),
      i18n._({
        id: 'mail.newSignIn.wasNotYou',
        message: 'If it wasn’t, set a new password now. That logs out every device.',
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
    subject: i18n._({ id: 'mail.passkey.subject', message: 'New passkey for {name}', values }),
    intro: i18n._({
      id: 'mail.passkey.intro',
      message: 'A passkey was added to your {name} account. You can now log in with it, without a password.',
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
        message: 'If it wasn’t you, set a new password now. That removes every passkey and logs out every device.',
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
