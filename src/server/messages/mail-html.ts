import { html, raw } from 'hono/html';
import type { Language } from '#contract/fields.ts';
import { contrast, fromOklch, parseColorOrDefault, toHex } from '#contract/oklch.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import { i18nIn } from '#server/brand/i18n.ts';

/** The content of a mail before layout; its parts are shown in this order. */
export interface MailDraft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** shown large on a line of its own, so that it is easy to read and copy */
  readonly code?: string;
  /** label and value, one line each */
  readonly rows?: readonly (readonly [string, string])[];
  /** a long text to copy as a whole, with its label */
  readonly copy?: { readonly label: string; readonly text: string };
  readonly button?: { readonly label: string; readonly url: string };
  /** further information after the button */
  readonly notes?: readonly string[];
  readonly closing: string;
  /** the unsubscribe link, last and in small print */
  readonly leave?: { readonly label: string; readonly url: string };
}

/** Many mail clients drop style sheets, so every element has inline styles. */
const ink = '#16161a';
const soft = '#5c5c66';
const line = '#e4e4ea';
const ground = '#f4f4f7';
const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';

/** The surface of the card in a dark mail client. */
const darkCard = '#1c1c21';

/**
 * For dark mail clients: those that ignore style sheets change the colours themselves. Classes: ground, card, text, soft
 * text, line, mark of the brand, button.
 */
function darkStyles(colour: string): string {
  const brand = visibleOnDark(colour);
  const rules = {
    g: 'background:#111114',
    c: `background:${darkCard};border-color:#3a3a42`,
    t: 'color:#f3f3f6',
    s: 'color:#b6b6c0',
    l: 'border-color:#3a3a42',
    m: `border-color:${brand}`,
    b: `background:${brand};border-color:${brand};color:${inkOn(brand)}`,
  };
  const written = Object.entries(rules).map(([name, rule]) => `.${name}{${rule.replaceAll(/(?=;|$)/g, '!important')}}`);
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${written.join('')}}`;
}

/** The colour, or a lighter shade of it, with a contrast of 3:1 to the card. */
function visibleOnDark(colour: string): string {
  const [from, chroma, hue] = parseColorOrDefault(colour);
  let shade = colour;
  for (let lightness = from; contrast(shade, darkCard) < 3.1; lightness += 0.01)
    shade = toHex(fromOklch([lightness, chroma, hue]));
  return shade;
}

/** Renders a draft as HTML: one narrow card in the brand's colour, with notes in smaller text below. */
function mailHtml(brand: Pick<Brand, 'name' | 'themeColor'>, language: Language, draft: MailDraft): string {
  const { subject, paragraphs, code, rows = [], copy, button, notes = [], closing, leave } = draft;
  const colour = /^#[0-9a-f]{6}$/i.test(brand.themeColor) ? brand.themeColor : '#333333';
  // telephone=no: otherwise a phone links a code as a number to call
  return textOfMarkup(html`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="format-detection" content="telephone=no"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>${raw(darkStyles(colour))}</style><title>${subject}</title>
<body class="g" style="margin:0;background:${ground}"><div class="g t" style="${font};font-size:16px;line-height:1.5;color:${ink};background:${ground};padding:24px 12px">
<div class="c" style="max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border:1px solid ${line};border-radius:16px">
${nameLine(brand.name, colour)}
${
  // the subject of a code mail contains the code, which is shown large below
  code === undefined ? headline(subject) : ''
}
${paragraphs.map((words) => paragraph(words))}
${code === undefined ? '' : codeLine(code)}
${rows.length > 0 ? table(rows) : ''}
${copy ? copyBlock(copy) : ''}
${button ? link(button, colour) : ''}
${paragraphs.length > 0 && notes.length > 0 ? divider : ''}
${notes.map((words) => note(words))}
<p style="margin:20px 0 0">${closing}<br><b>${brand.name}</b></p>${leave ? wayOut(leave) : ''}</div></div></body></html>`);
}

const divider = html`<div class="l" style="border-top:1px solid ${line};margin:24px 0 16px"></div>`;

const nameLine = (name: string, colour: string): Markup =>
  html`<p class="m" style="margin:0 0 20px;padding-left:10px;border-left:5px solid ${colour};font-size:17px;line-height:1.3;font-weight:700">${name}</p>`;

const headline = (words: string): Markup =>
  html`<h1 style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700">${words}</h1>`;

const paragraph = (words: string): Markup => html`<p style="margin:0 0 12px">${words}</p>`;

const note = (words: string): Markup =>
  html`<p class="s" style="margin:0 0 12px;font-size:14px;color:${soft}">${words}</p>`;

const codeLine = (code: string): Markup =>
  html`<p class="g" style="margin:16px 0;padding:16px 0 16px 8px;border-radius:10px;background:${ground};font-size:34px;line-height:1.2;font-weight:700;letter-spacing:8px;text-align:center">${code}</p>`;

const table = (rows: readonly (readonly [string, string])[]): Markup =>
  html`<table style="width:100%;margin:16px 0;border-collapse:collapse">${rows.map(row)}</table>`;

const row = ([label, value]: readonly [string, string]): Markup =>
  html`<tr><td class="l s" style="padding:8px 16px 8px 0;border-top:1px solid ${line};color:${soft};vertical-align:top;white-space:nowrap">${label}</td><td class="l" style="padding:8px 0;border-top:1px solid ${line};vertical-align:top;text-align:right">${value}</td></tr>`;

/**
 * Breaks anywhere, because the text is long and has no spaces; selected as a whole by one click where the mail client
 * supports it.
 */
const copyBlock = ({ label, text }: { label: string; text: string }): Markup =>
  html`<p class="s" style="margin:16px 0 4px;font-size:14px;color:${soft}">${label}:</p><p class="g" style="margin:0 0 16px;padding:12px;border-radius:10px;background:${ground};font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;line-height:1.5;overflow-wrap:anywhere;word-break:break-all;user-select:all">${text}</p>`;

const wayOut = ({ label, url }: { label: string; url: string }): Markup =>
  html`<p style="margin:20px 0 0;font-size:14px"><a class="s" href="${url}" style="color:${soft}">${label}</a></p>`;

/** The border keeps a button visible whose brand colour is pale. */
const link = ({ label, url }: { label: string; url: string }, colour: string): Markup =>
  html`<p style="margin:20px 0"><a class="b" href="${url}" style="display:block;padding:14px 20px;border:1px solid ${line};border-color:rgba(0,0,0,.15);border-radius:10px;background:${colour};color:${inkOn(colour)};font-weight:600;text-align:center;text-decoration:none">${label}</a></p>`;

/** Black or white, whichever has the higher contrast with the colour (WCAG 2.2, relative luminance). */
function inkOn(hex: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  // at 0.179 both contrasts are 4.58:1
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

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
