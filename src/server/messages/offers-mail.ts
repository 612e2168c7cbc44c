import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';

interface Offer {
  readonly subject: string;
  /** the operator's words; an empty line parts paragraphs */
  readonly text: string;
  /** the link that ends such mail ([Note: Offers]) */
  readonly wayOut: string;
}

/** An offer, the way to the plans, why it came, and the way out. */
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
