import { bodyLimit } from 'hono/body-limit';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { acceptTransfer, rejectProof, waitingForReview } from '#server/billing/review-transfer.ts';
import { pageHeaders } from '../page-html.ts';
import { transferReviewPage } from './transfer-review-page.ts';

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
