import { and, desc, eq } from 'drizzle-orm';
import { html, raw } from 'hono/html';
import type { App } from '#server/runtime/request/request-context.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';

type Message = typeof outbox.$inferSelect;

const shown = 50;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:0 auto;padding:16px;color:#111;background:#fff}
article{border:1px solid #ccc;border-radius:8px;padding:12px 16px;margin:16px 0}pre{white-space:pre-wrap;font:inherit}
small{color:#555}a{color:#0645ad}`;

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const pageHeaders = {
  ...headers,
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/**
 * Whether the page with all sent messages exists: only if no email is really sent and the sandbox is on, because it
 * shows every mailbox and phone.
 */
export function showsOutbox(env: Pick<Env, 'SMTP_URL' | 'SANDBOX'>): boolean {
  return env.SMTP_URL === undefined && env.SANDBOX;
}

/**
 * Shows the emails and SMS of this brand instead of a mail program and a phone: `/dev/outbox` as a page, and
 * `/dev/outbox.json?to=` for tests, newest first, 50 at most; `to` selects one recipient.
 */
export function mountOutboxPage(app: App, deps: Deps): void {
  if (!showsOutbox(deps.env)) return;
  app.get('/dev/outbox', async (c) => {
    c.set('route', '/dev/outbox');
    const { name, code } = c.get('brand');
    return c.body(page(name, await newest(deps, code, c.req.query('to'))), 200, pageHeaders);
  });
  app.get('/dev/outbox.json', async (c) => {
    c.set('route', '/dev/outbox.json');
    const messages = await newest(deps, c.get('brand').code, c.req.query('to'));
    const list = messages.map(({ recipient, channel, subject, text, createdAt }) => ({
      to: recipient,
      channel,
      subject,
      text,
      at: createdAt,
    }));
    return c.json(list, 200, headers);
  });
}

function newest({ db }: Pick<Deps, 'db'>, brand: string, to: string | undefined): Promise<Message[]> {
  return db
    .select()
    .from(outbox)
    .where(and(eq(outbox.brand, brand), to === undefined ? undefined : eq(outbox.recipient, to)))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(shown);
}

function page(name: string, messages: readonly Message[]): string {
  const title = `Mail and SMS of ${name}`;
  const none = html`<p>Nothing yet. Sign up, and the welcome appears here.</p>`;
  return textOfMarkup(html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${raw(style)}</style><h1>${title}</h1>${messages.length > 0 ? messages.map(article) : none}</html>`);
}

/** Shows the text of an email, not its HTML: nothing in it can run, and its links still work. */
function article({ channel, recipient, subject, text, createdAt, sentAt }: Message): Markup {
  const at = new Date(createdAt).toISOString();
  const title = channel === 'sms' ? 'SMS' : subject;
  return html`<article><h2>${title}</h2><small>to ${recipient}, ${at}${sentAt === null ? ', waiting' : ''}</small>
<pre>${linked(text)}</pre></article>`;
}

function linked(text: string): (string | Markup)[] {
  const parts = text.split(/(https?:\/\/[^\s<]+)/);
  // `split` returns the matches of the group at odd indexes
  return parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
