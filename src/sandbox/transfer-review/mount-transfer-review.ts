import { bodyLimit } from 'hono/body-limit';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { acceptTransfer, rejectProof, waitingForReview, type Reviewable } from '#server/billing/review-transfer.ts';
import { pageHeaders, pageStyle } from '#sandbox/page-html.ts';
import { html, raw } from 'hono/html';
import { formatMoney } from '#contract/money.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';

const path = '/sandbox/desk';

/**
 * Reviews a brand's transfers in the browser, for demos without a shell. It has no login although accepting a transfer
 * counts as payment: so it exists only where the sandbox is on, and even there it shows no proof, which is the
 * customer's private data. In production, transfers are reviewed with operator commands.
 */
export function mountTransferReview(app: App, deps: Deps): void {
  app.get(path, async (c) => {
    c.set('route', path);
    const { name, code } = c.get('brand');
    return c.body(transferReviewPage(name, await waitingForReview(deps.db, code)), 200, pageHeaders);
  });
  app.post(path, bodyLimit({ maxSize: 1024, onError: (c) => c.body('Too much', 413, pageHeaders) }), async (c) => {
    c.set('route', path);
    const form = new URLSearchParams(await c.req.text());
    const waiting = await waitingForReview(deps.db, c.get('brand').code);
    const seen = waiting.find(
      ({ transfer }) => transfer.reference === form.get('reference') && transfer.objectId === form.get('objectId'),
    );
    if (seen && form.get('verdict') === 'accept') await acceptTransfer(deps, seen.transfer);
    if (seen && form.get('verdict') === 'reject') await rejectProof(deps, seen.transfer);
    return c.redirect(path, 303);
  });
}

/** A brand's proofs of payment that await review, each with accept and reject. */
function transferReviewPage(brandName: string, waiting: readonly Reviewable[]): string {
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
