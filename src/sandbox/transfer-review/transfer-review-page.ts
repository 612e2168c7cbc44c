import { html, raw } from 'hono/html';
import { formatMoney } from '#contract/money.ts';
import type { Reviewable } from '#server/billing/review-transfer.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import { pageStyle } from '../page-html.ts';

/** A brand's proofs of payment that await review, each with accept and reject. */
export function transferReviewPage(brandName: string, waiting: readonly Reviewable[]): string {
  const none = html`<p>Nothing waits. Pay by PayNow or caishen and send a proof, and it appears here.</p>`;
  return textOfMarkup(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transfers of ${brandName} · Sandbox desk</title><meta name="robots" content="noindex"><style>${raw(pageStyle)}</style></head>
<body><header>Sandbox desk · no real money</header><main><h1>Transfers of ${brandName}</h1>
${waiting.length > 0 ? waiting.map(section) : none}
</main></body></html>`);
}

/** The form names the proof, so that the verdict never applies to a newer one. */
function section({ orderId, transfer, since }: Reviewable): Markup {
  const { amount, currency, flavour, reference, objectId, state } = transfer;
  const facts = [
    ['Order', orderId],
    ['Amount', formatMoney({ amount, currency }, 'en')],
    ['By', flavour],
    ['Reference', reference],
    ['Since', new Date(since).toISOString()],
    ...(state === 'closed' ? [['Note', 'the order has ended meanwhile']] : []),
  ];
  const rows = facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  const hidden = Object.entries({ reference, objectId: objectId ?? '' }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<section><dl>${rows}</dl><form method="post">${hidden}
<button name="verdict" value="accept" class="primary">Accept</button><button name="verdict" value="reject">Reject</button></form></section>`;
}
