import type { Language } from '#contract/fields.ts';
import type { AccountType } from '#contract/user.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

interface ContactChange {
  readonly type: AccountType;
  /** the new address or number, masked: the reader may not be its owner */
  readonly to: string;
}

/**
 * Tells the previous address that the account has a new address or number. `url` is from `makeMailLink('restore')`;
 * undefined where the reader must not be able to take over the account.
 */
export function contactChangedMail(
  brand: Brand,
  language: Language,
  { type, to, url }: ContactChange & { readonly url: string | undefined },
): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name, to };
  const isEmail = type === 'email';
  return renderMail(brand, language, {
    subject: isEmail
      ? i18n._({ id: 'mail.contactChanged.emailSubject', message: 'Your {name} account has a new email', values })
      : i18n._({ id: 'mail.contactChanged.phoneSubject', message: 'Your {name} account has a new number', values }),
    paragraphs: [
      isEmail
        ? i18n._({
            id: 'mail.contactChanged.email',
            message: 'The email of your {name} account is now {to}. Use it to log in; we’ll send emails there.',
            values,
          })
        : i18n._({
            id: 'mail.contactChanged.phone',
            message: 'The phone number of your {name} account is now {to}. You can log in with it.',
            values,
          }),
      ...(url === undefined ? [ifUnconfirmed(brand, language)] : wasItYou(brand, language)),
    ],
    button:
      url === undefined
        ? { label: i18n._({ id: 'mail.contactChanged.help', message: 'Contact us' }), url: `${brand.origin}/help` }
        : { label: i18n._({ id: 'mail.contactChanged.button', message: 'It wasn’t me' }), url },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

/**
 * Tells the address that the number was removed; `removed` is the masked number, `url` is from
 * `makeMailLink('restore')`.
 */
export function phoneRemovedMail(
  brand: Brand,
  language: Language,
  { removed, url }: { readonly removed: string; readonly url: string },
): MailText {
  const i18n = i18nIn(language, brand);
  const values = { name: brand.name, removed };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.phoneRemoved.subject', message: 'Your {name} account no longer has a number', values }),
    paragraphs: [
      i18n._({
        id: 'mail.phoneRemoved.intro',
        message:
          'The phone number {removed} was removed from your {name} account. No one can log in with it any more; you log in with this address.',
        values,
      }),
      ...wasItYou(brand, language),
    ],
    button: { label: i18n._({ id: 'mail.contactChanged.button', message: 'It wasn’t me' }), url },
    closing: i18n._({ id: 'mail.newSignIn.closing', message: 'Take care,' }),
  });
}

/** For an unconfirmed address: its owner may not be the customer, so the mail must not give access to the account. */
function ifUnconfirmed(brand: Brand, language: Language): string {
  const i18n = i18nIn(language, brand);
  return i18n._({
    id: 'mail.contactChanged.unconfirmed',
    message:
      'This address was never confirmed. If the account is yours and you didn’t change it, or if you don’t have an account here, contact us.',
  });
}

function wasItYou(brand: Brand, language: Language): string[] {
  const i18n = i18nIn(language, brand);
  return [
    i18n._({ id: 'mail.contactChanged.wasYou', message: 'If it was you, there’s nothing to do.' }),
    i18n._({
      id: 'mail.contactChanged.wasNotYou',
      message:
        'If it wasn’t, recover your account within 7 days: we’ll undo the change, log out every device, and you choose a new password.',
    }),
  ];
}

/**
 * A change by SMS, without a link that changes anything: anyone who finds the phone can read it on the locked screen.
 */
export function contactChangedSms(
  brand: Pick<Brand, 'name' | 'origin' | 'wordings'>,
  language: Language,
  { type, to }: ContactChange,
): string {
  const { name, origin } = brand;
  const i18n = i18nIn(language, brand);
  const values = { to, help: `${origin}/help` };
  const words =
    type === 'email'
      ? i18n._({
          id: 'sms.contactChanged.email',
          message: 'your account has a new email, {to}. Not you? {help}',
          values,
        })
      : i18n._({
          id: 'sms.contactChanged.phone',
          message: 'your account has a new number, {to}. Not you? {help}',
          values,
        });
  return `${name}: ${words}`;
}
