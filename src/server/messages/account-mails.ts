import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

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
          'Someone, probably you, wanted to create a {name} account with this address. There is one already, so just sign in:',
        values: { name },
      }),
    ],
    button: {
      label: i18n._({ id: 'mail.accountExists.button', message: 'Sign in' }),
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
