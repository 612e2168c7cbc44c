import { formatMoney } from '../../../contract/money.ts';
import { escapeHtml } from '../../email/escape-html.ts';
import type { Reviewable } from '../../payments/transfer/review.ts';
import { pageStyle } from '../page-html.ts';

/** The proofs that wait for a look at a brand, each with a yes and a no. */
export function deskPage(brandName: string, waiting: readonly Reviewable[]): string {
  const none = '<p>Nothing waits. Pay by PayNow or caishen and send a proof, and it appears here.</p>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transfers of ${escapeHtml(brandName)} · Sandbox desk</title><meta name="robots" content="noindex"><style>${pageStyle}</style></head>
<body><header>Sandbox desk · no real money</header><main><h1>Transfers of ${escapeHtml(brandName)}</h1>
${waiting.map(section).join('\n') || none}
</main></body></html>`;
}

/** The form names the proof, so that a no is never for one that came since. */
function section({ orderId, transfer, since }: Reviewable): string {
  const { amount, currency, flavour, reference, objectId, state } = transfer;
  const facts = [
    ['Order', orderId],
    ['Amount', formatMoney({ amount, currency }, 'en')],
    ['By', flavour],
    ['Reference', reference],
    ['Since', new Date(since).toISOString()],
    ...(state === 'closed' ? [['Note', 'the order has ended meanwhile']] : []),
  ];
  const rows = facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  const hidden = Object.entries({ reference, objectId: objectId ?? '' }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<section><dl>${rows}</dl><form method="post">${hidden.join('')}
<button name="verdict" value="accept" class="primary">Accept</button><button name="verdict" value="reject">Reject</button></form></section>`;
}
