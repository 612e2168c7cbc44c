import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { renderMail, type MailText } from './mail-text.ts';
import { accountUrl, dayRow, facts, type RenewalFacts } from './renewal-mails.ts';

/**
 * Why a renewal is off: the customer turned it off or withdrew, the payment was reversed, or the shop no longer offers
 * it.
 */
export type OffBy = 'customer' | 'withdrawal' | 'reversal' | 'shop';

/** Confirms that nothing will be charged, and says until when paid access continues. */
export function renewalOffMail(
  brand: Brand,
  language: Language,
  renewal: RenewalFacts & { readonly endsAt: number; readonly by: Exclude<OffBy, 'withdrawal'> },
): MailText {
  const i18n = i18nIn(language, brand);
  const why: Record<typeof renewal.by, string> = {
    customer: i18n._({ id: 'mail.renewalOff.customer', message: 'As you asked, your plan does not renew any more.' }),
    reversal: i18n._({
      id: 'mail.renewalOff.reversal',
      message: 'A payment of your plan was given back, so it does not renew any more.',
    }),
    shop: i18n._({
      id: 'mail.renewalOff.shop',
      message: 'Your plan is not offered in this way any more, so it does not renew.',
    }),
  };
  return renderMail(brand, language, {
    subject: i18n._({ id: 'mail.renewalOff.subject', message: 'Your plan does not renew any more' }),
    paragraphs: [why[renewal.by], i18n._({ id: 'mail.renewalOff.nothing', message: 'Nothing more is charged.' })],
    rows: [
      ...facts(i18n, language, renewal),
      dayRow(brand, language, i18n._({ id: 'mail.renewalOff.until', message: 'You keep it until' }), renewal.endsAt),
    ],
    button: { label: i18n._({ id: 'mail.renewalOff.button', message: 'Open your account' }), url: accountUrl(brand) },
  });
}
