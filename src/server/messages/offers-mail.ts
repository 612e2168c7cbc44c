import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

interface Offer {
  readonly subject: string;
  /** the operator's text; an empty line separates paragraphs */
  readonly text: string;
  /** the unsubscribe link */
  readonly wayOut: string;
}

/** An offer with a link to the plans, the reason for the mail, and an unsubscribe link. */
export function offersMail(brand: Brand, language: Language, { subject, text, wayOut }: Offer): MailText {
  const i18n = i18nIn(language, brand);
  const { name, origin } = brand;
  return renderMail(brand, language, {
    subject,
    paragraphs: text
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    button: {
      label: i18n._({ id: 'mail.welcome.plans', message: 'See the plans' }),
      url: `${origin}/pricing-table?la=${language}`,
    },
    notes: [
      i18n._({
        id: 'mail.offers.why',
        message:
          'You get this because offers by mail are on in your {name} account. Mail about what you buy is apart from it.',
        values: { name },
      }),
    ],
    leave: {
      label: i18n._({ id: 'mail.offers.leave', message: 'No more offers by mail' }),
      url: `${wayOut}&language=${language}`,
    },
  });
}
