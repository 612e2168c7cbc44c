import type { Brand } from '#server/brand/catalog.ts';
import type { Language } from '#contract/fields.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { mailHtml, type MailDraft } from './mail-html.ts';

/** The content of a mail; `text` and `html` say the same. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Renders a draft as text and as HTML; most mails share the closing. Customer values are escaped, and an invalid brand
 * colour becomes a neutral one.
 */
export function renderMail(
  brand: Pick<Brand, 'name' | 'themeColor' | 'wordings'>,
  language: Language,
  { closing, ...rest }: Omit<MailDraft, 'closing'> & { readonly closing?: string },
): MailText {
  const i18n = i18nIn(language, brand);
  const draft = { ...rest, closing: closing ?? i18n._({ id: 'mail.closing', message: 'See you soon,' }) };
  return { subject: draft.subject, text: asText(brand.name, draft), html: mailHtml(brand, language, draft) };
}

function asText(
  name: string,
  { paragraphs, code = '', rows = [], copy, button, notes = [], closing, leave }: MailDraft,
): string {
  const parts = [
    ...paragraphs,
    code,
    rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    // on a line of its own, so that it can be selected without its label
    copy ? `${copy.label}:\n${copy.text}` : '',
    button ? `${button.label}: ${button.url}` : '',
    ...notes,
    `${closing}\n${name}`,
    leave ? `${leave.label}: ${leave.url}` : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
