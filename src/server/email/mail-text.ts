import type { Brand } from '../brand/catalog.ts';
import type { Language } from '../../contract/fields.ts';

/** A mail's words; `text` and `html` say the same. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail before it is laid out. */
export interface MailDraft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** label and value, one line each */
  readonly rows?: readonly (readonly [string, string])[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly closing: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, in an element or a quoted attribute. */
export function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** Lays a draft out twice. Values of customers are escaped; the colour is a colour or a neutral one. */
export function layOut(brand: Pick<Brand, 'name' | 'themeColor'>, language: Language, draft: MailDraft): MailText {
  const { subject, paragraphs, rows = [], button, closing } = draft;
  const text = [
    ...paragraphs,
    rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    button ? `${button.label}: ${button.url}` : '',
    `${closing}\n${brand.name}`,
  ];
  const colour = /^#[0-9a-f]{6}$/i.test(brand.themeColor) ? brand.themeColor : '#333333';
  const cells = rows.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#555">${escapeHtml(label)}</td><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  );
  const link =
    button &&
    `<p><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#fff;color:#111;border:2px solid ${colour};text-decoration:none">${escapeHtml(button.label)}</a></p>`;
  const html = [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>`,
    `<body style="font-family:system-ui,sans-serif;line-height:1.5;color:#111;max-width:36em;margin:0 auto;padding:24px">`,
    `<p style="font-size:20px;font-weight:700;border-left:6px solid ${colour};padding-left:12px">${escapeHtml(brand.name)}</p>`,
    ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
    cells.length > 0 ? `<table style="border-collapse:collapse">${cells.join('')}</table>` : '',
    link ?? '',
    `<p>${escapeHtml(closing)}<br>${escapeHtml(brand.name)}</p></body></html>`,
  ];
  return { subject, text: text.filter((part) => part !== '').join('\n\n'), html: html.join('\n') };
}
