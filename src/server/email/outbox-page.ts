import { desc, eq } from 'drizzle-orm';
import type { App } from '../app-env.ts';
import type { Deps } from '../deps.ts';
import { outbox } from '../db/schema.ts';
import { escapeHtml } from './mail-text.ts';

const shown = 50;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:0 auto;padding:16px;color:#111;background:#fff}
article{border:1px solid #ccc;border-radius:8px;padding:12px 16px;margin:16px 0}pre{white-space:pre-wrap;font:inherit}
small{color:#555}a{color:#0645ad}`;

const headers = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/**
 * Shows the mail of this brand instead of a mail program. It stands for the whole world's mailboxes, so it exists only
 * where nothing is really sent and the sandbox is on.
 */
export function mountOutboxPage(app: App, { db, env }: Deps): void {
  if (env.SMTP_URL !== undefined || !env.SANDBOX) return;
  app.get('/dev/outbox', async (c) => {
    c.set('route', '/dev/outbox');
    const brand = c.get('brand');
    const mails = await db
      .select()
      .from(outbox)
      .where(eq(outbox.brand, brand.code))
      .orderBy(desc(outbox.createdAt), desc(outbox.id))
      .limit(shown);
    return c.body(page(brand.name, mails), 200, headers);
  });
}

function page(name: string, mails: readonly (typeof outbox.$inferSelect)[]): string {
  const title = `Mail of ${escapeHtml(name)}`;
  const none = '<p>No mail yet. Sign up, and the welcome appears here.</p>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${style}</style><h1>${title}</h1>${mails.map(article).join('') || none}</html>`;
}

/** The text, not the HTML, of a mail: nothing in it can run, and its links still work. */
function article({ recipient, subject, text, createdAt, sentAt }: typeof outbox.$inferSelect): string {
  const at = new Date(createdAt).toISOString();
  return `<article><h2>${escapeHtml(subject)}</h2><small>to ${escapeHtml(recipient)}, ${at}${sentAt === null ? ', waiting' : ''}</small>
<pre>${linked(text)}</pre></article>`;
}

function linked(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}
