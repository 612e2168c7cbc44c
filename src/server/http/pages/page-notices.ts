import { html } from 'hono/html';
import { encode } from 'uqr';
import type { I18n } from '@lingui/core';
import type { BrandMessages } from '#contract/brand-messages.ts';
import type { Language } from '#contract/fields.ts';
import type { Markup } from '#server/runtime/request/markup.ts';
import { i18nIn } from '#server/brand/i18n.ts';

/** Uses only the brand's texts with ids `page.*` that are plain strings, because these pages need no others. */
function i18nWith(language: Language, words: BrandMessages): I18n {
  const own = Object.entries(words).filter((entry): entry is [string, string] => {
    const [id, text] = entry;
    return id.startsWith('page.') && typeof text === 'string';
  });
  return i18nIn(language, own.length > 0 ? { wordings: { [language]: Object.fromEntries(own) } } : {});
}

/** Shown until the browser has rendered the page that the server was too busy to render. */
export function busyNotice(language: Language, words: BrandMessages): string {
  const i18n = i18nWith(language, words);
  return i18n._({
    id: 'page.busy',
    message: 'Many people are here at the moment. This page opens in a few seconds.',
  });
}

/**
 * The placeholder of a page that the browser has yet to render: first a loading indicator and, after a delay, what to
 * do if scripts are off, did not arrive, or are too new for this browser. Shown by CSS alone (`.late` in
 * ui/tokens.css); without scripts noscript.css shows it at once. The app replaces it. The English text is also in
 * index.html, for the shell without a language.
 */
export function lateNotice(language: Language, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.late',
    message: 'This page is not here yet. It needs JavaScript and a connection.',
  });
  const again = i18n._({ id: 'page.late.again', message: 'Load it again' });
  const plans = i18n._({ id: 'page.late.plans', message: 'See the plans' });
  return html`<div class="late"><p>${says}</p><p><a href="">${again}</a> · <a href="/pricing-table">${plans}</a></p></div>`;
}

export const lateLink = html`<noscript><link rel="stylesheet" href="/noscript.css"></noscript>`;

/**
 * The notice of a rendered page whose scripts do not start within 5 s, or fail ([Note: Start guard]). Shown by CSS
 * alone (`.not-started` in ui/tokens.css), so it needs no script.
 */
export function notStartedNotice(language: Language, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.notStarted',
    message: 'This page has not loaded completely, so its buttons may not work.',
  });
  const again = i18n._({ id: 'page.late.again', message: 'Load it again' });
  const otherwise = i18n._({
    id: 'page.notStarted.else',
    message: 'If that does not help, open it in another browser.',
  });
  return html`<aside class="not-started" role="status" tabindex="-1"><p>${says} <a href="">${again}</a>. ${otherwise}</p></aside>`;
}

/** The light margin of the QR code in modules; scanners need four. */
const quietZone = 4;

/**
 * For engines that cannot run the storefront: use a phone instead, with a QR code of this page. It is in every page
 * except for engines known to be current, and visible only in old engines: `ui/tokens.css` uses the same condition as
 * the entry. `address` has no query, so no secret.
 */
export function tooOldNotice(language: Language, address: string, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.tooOld',
    message: 'This browser is too old to buy here. Scan the code with a newer phone to open this page on it.',
  });
  const { size, data } = encode(address, { ecc: 'L', border: quietZone });
  return html`<aside class="too-old"><p>${says}</p><svg viewBox="0 -.5 ${size} ${size}" role="img" aria-label="QR"><path fill="#fff" d="M0-.5h${size}v${size}H0z"/><path stroke="#000" d="${runs(data)}"/></svg></aside>`;
}

/** One line of the path for each run of adjacent dark modules. */
function runs(rows: readonly (readonly boolean[])[]): string {
  const lines = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${end - x}`];
    }),
  );
  return lines.join('');
}
