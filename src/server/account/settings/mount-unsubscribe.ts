import type { App } from '#server/runtime/request/request-context.ts';
import { ApiRefusal, refusalOf } from '#server/runtime/request/api-error.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import { readForm } from '#server/runtime/request/read-bytes.ts';
import type { Deps } from '#server/deps.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { readOffersToken, setOffers } from './offers.ts';

/** Invalid tokens from one network. A mail service posts for many customers, so valid ones are not counted. */
const limit = { tries: 60, windowMs: 60 * 60_000 };

const plain = (status: number, words: string) =>
  new Response(words, {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store' },
  });

/**
 * One-click unsubscribe (RFC 8058, 3.2): the mail program's server posts to the URL of the header, without session,
 * cookie or redirect. A GET of the same URL shows the storefront's confirmation page.
 */
export function mountUnsubscribe(app: App, deps: Deps): void {
  app.post('/unsubscribe', async (c) => {
    c.set('route', '/unsubscribe');
    const { code } = c.get('brand');
    const form = await readForm(c, deps, { maxBytes: 8 * 1024 }).catch(refusalOf);
    if (form instanceof ApiRefusal) return plain(form.status, 'the body cannot be read');
    if (form?.get('List-Unsubscribe') !== 'One-Click') return plain(400, 'List-Unsubscribe=One-Click is missing');
    const who = readOffersToken(deps.env, code, c.req.query('token') ?? '');
    if (who && (await setOffers(deps.db, who, false)) !== undefined) return plain(200, 'unsubscribed');
    const taken = await countTryFrom(deps.db, `unsubscribe ${code}`, callerOf(c, deps.env).ip, limit, deps.clock());
    return taken.allowed ? plain(404, 'unknown') : plain(429, 'too many');
  });
}
