import { desc, eq } from 'drizzle-orm';
import type { App } from '#server/runtime/request/request-context.ts';
import { sandboxPushBrowsers, sandboxPushMessages } from '../schema.ts';
import type { Deps } from '#server/deps.ts';
import { pageHeaders, bankPage } from '../page-html.ts';
import { sandboxPush } from './service.ts';

const shown = 50;

/**
 * Mounts the sandbox push service, and shows what it received: `/dev/push` for developers, `/dev/push.json` for tests,
 * newest first, 50 at most. A body is encrypted, in base64url.
 */
export function mountSandboxPush(app: App, deps: Deps): void {
  app.route('/', sandboxPush(deps));
  app.get('/dev/push', async (c) => {
    c.set('route', '/dev/push');
    const lines = (await newest(deps)).map(
      ({ at, to, urgency, ttl, body }) =>
        `${new Date(at).toISOString()}: ${body.length} characters, encrypted, to ${to.slice(0, 8)}…, ${urgency}, kept ${ttl} s`,
    );
    const none = 'Nothing yet. A customer has to ask to be told.';
    return c.body(bankPage({ title: 'Push messages', lines: lines.length > 0 ? lines : [none] }), 200, pageHeaders);
  });
  app.get('/dev/push.json', async (c) => {
    c.set('route', '/dev/push.json');
    return c.json(await newest(deps), 200, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
}

async function newest({ db }: Pick<Deps, 'db'>) {
  const rows = await db
    .select()
    .from(sandboxPushMessages)
    .innerJoin(sandboxPushBrowsers, eq(sandboxPushBrowsers.id, sandboxPushMessages.browserId))
    .orderBy(desc(sandboxPushMessages.receivedAt), desc(sandboxPushMessages.id))
    .limit(shown);
  return rows.map(({ sandbox_push_messages: { browserId, ttl, urgency, topic, body, receivedAt } }) => ({
    to: browserId,
    ttl,
    urgency,
    topic,
    body: Buffer.from(body).toString('base64url'),
    at: receivedAt,
  }));
}
