import type { CodePurpose } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-html.ts';

interface Code {
  readonly code: string;
  /** what the code is for */
  readonly scene: CodePurpose;
}

/**
 * A code by mail. The subject contains it, too, because people copy it from the notification. It is valid once, for one
 * purpose, for ten minutes.
 */
export function codeMail(brand: Brand, language: Language, { code, scene }: Code): MailText {
  const i18n = i18nIn(language, brand);
  const { name } = brand;
  const values = { name };
  const purposes: Record<CodePurpose, string> = {
    login: i18n._({ id: 'mail.code.login', message: 'Use this code to log in to {name}:', values }),
    signup: i18n._({ id: 'mail.code.signup', message: 'Use this code to create your {name} account:', values }),
    reset: i18n._({ id: 'mail.code.reset', message: 'Use this code to set a new password for {name}:', values }),
    confirm: i18n._({
      id: 'mail.code.confirm',
      message: 'Use this code to confirm a change to your {name} account, or to see its data:',
      values,
    }),
    contact: i18n._({
      id: 'mail.code.contact',
      message: 'Use this code to make this the address of your {name} account:',
      values,
    }),
  };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.code.subject', message: '{code} is your {name} code', values: { code, name } }),
    paragraphs: [purposes[scene]],
    code,
    notes: [
      i18n._({ id: 'mail.code.lifetime', message: 'It works once, for 10 minutes.' }),
      i18n._({
        id: 'mail.code.secret',
        message: 'Don’t share it: no one at {name} will ever ask you for it.',
        values,
      }),
      i18n._({
        id: 'mail.code.stranger',
        message: 'If you didn’t request a code, you can ignore this email. Nothing happens without it.',
      }),
    ],
  });
}

/**
 * A code by SMS. The last line binds it to the brand's host in the format of WebOTP and system autofill (WICG,
 * "Origin-bound one-time codes"): pages of other hosts are not offered the code.
 */
export function codeSms(
  brand: Pick<Brand, 'name' | 'origin' | 'wordings'>,
  language: Language,
  { code, scene }: Code,
): string {
  const { name, origin } = brand;
  const i18n = i18nIn(language, brand);
  const values = { code };
  const purposes: Record<CodePurpose, string> = {
    login: i18n._({ id: 'sms.code.login', message: '{code} is your code to log in.', values }),
    signup: i18n._({ id: 'sms.code.signup', message: '{code} is your code to create the account.', values }),
    reset: i18n._({ id: 'sms.code.reset', message: '{code} is your code for a new password.', values }),
    confirm: i18n._({ id: 'sms.code.confirm', message: '{code} is your code to confirm that it is you.', values }),
    contact: i18n._({ id: 'sms.code.contact', message: '{code} is your code to use this number.', values }),
  };
  const advice = i18n._({ id: 'sms.code.advice', message: 'Valid for 10 minutes. Never share it.' });
  return `${name}: ${purposes[scene]} ${advice}\n\n@${new URL(origin).hostname} #${code}`;
}

/** Sent instead of a sign-up code to a number that already has an account. */
export function accountExistsSms(brand: Pick<Brand, 'name' | 'origin' | 'wordings'>, language: Language): string {
  const { name, origin } = brand;
  const i18n = i18nIn(language, brand);
  const words = i18n._({
    id: 'sms.accountExists',
    message: 'you already have an account with this number. Log in here:',
  });
  return `${name}: ${words} ${origin}/login?la=${language}`;
}
