import type { Brand } from '../brand/catalog.ts';
import type { Language } from '../../contract/fields.ts';

/** A mail's words; `text` and `html` say the same. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail before it is laid out; its parts come in this order. */
export interface MailDraft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** shown large, alone on its line, so that it can be read from afar and copied at once */
  readonly code?: string;
  /** label and value, one line each */
  readonly rows?: readonly (readonly [string, string])[];
  readonly button?: { readonly label: string; readonly url: string };
  /** what is to be known besides, after the button */
  readonly notes?: readonly string[];
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
  return { subject: draft.subject, text: asText(brand.name, draft), html: asHtml(brand, language, draft) };
}

function asText(name: string, { paragraphs, code = '', rows = [], button, notes = [], closing }: MailDraft): string {
  const parts = [
    ...paragraphs,
    code,
    rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    button ? `${button.label}: ${button.url}` : '',
    ...notes,
    `${closing}\n${name}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function asHtml(brand: Pick<Brand, 'name' | 'themeColor'>, language: Language, draft: MailDraft): string {
  const { subject, paragraphs, code, rows = [], button, notes = [], closing } = draft;
  const colour = /^#[0-9a-f]{6}$/i.test(brand.themeColor) ? brand.themeColor : '#333333';
  return [
    // telephone=no: a phone would take a code for a number to call
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="format-detection" content="telephone=no"><title>${escapeHtml(subject)}</title>`,
    `<body style="font-family:system-ui,sans-serif;line-height:1.5;color:#111;max-width:36em;margin:0 auto;padding:24px">`,
    `<p style="font-size:20px;font-weight:700;border-left:6px solid ${colour};padding-left:12px">${escapeHtml(brand.name)}</p>`,
    ...paragraphs.map(paragraph),
    code === undefined ? '' : codeLine(code),
    rows.length > 0 ? `<table style="border-collapse:collapse">${rows.map(row).join('')}</table>` : '',
    button ? link(button, colour) : '',
    ...notes.map(paragraph),
    `<p>${escapeHtml(closing)}<br>${escapeHtml(brand.name)}</p></body></html>`,
  ].join('\n');
}

const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`;

const codeLine = (code: string) =>
  `<p style="font-size:32px;font-weight:700;letter-spacing:6px;margin:16px 0">${escapeHtml(code)}</p>`;

const row = ([label, value]: readonly [string, string]) =>
  `<tr><td style="padding:4px 16px 4px 0;color:#555">${escapeHtml(label)}</td><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`;

const link = ({ label, url }: { label: string; url: string }, colour: string) =>
  `<p><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#fff;color:#111;border:2px solid ${colour};text-decoration:none">${escapeHtml(label)}</a></p>`;
