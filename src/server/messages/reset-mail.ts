import type { I18n } from '@lingui/core';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

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
            message: 'The link works once, within 4 hours. After that you sign in again on all your devices.',
          })
        : i18n._({
            id: 'mail.reset.halfAnHour',
            message: 'The link works once, within 30 minutes. After that you sign in again on all your devices.',
          }),
      i18n._({
        id: 'mail.reset.stranger',
        message: 'If you did not ask for this, you can ignore this mail. Your password stays as it is.',
      }),
    ],
  });
}

const asRequested = (i18n: I18n, name: string) =>
  i18n._({
    id: 'mail.reset.intro',
    message: 'You asked for a new password for your {name} account. Choose it here:',
    values: { name },
  });

const insteadOfCode = (i18n: I18n, name: string) =>
  i18n._({
    id: 'mail.reset.insteadOfCode',
    message:
      'Too many codes were asked for or tried at your {name} account today, perhaps by somebody else. So this mail brings no code, and you get in with a new password. Choose it here:',
    values: { name },
  });
