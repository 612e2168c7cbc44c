import * as v from 'valibot';
import { and, eq, lte, desc } from 'drizzle-orm';
import { Hono } from 'hono';
import { importJWK, jwtVerify } from 'jose';
import type { Deps } from '#server/deps.ts';
import { sandboxPushPath } from '#server/messages/push/send-push.ts';
import { sandboxPushBrowsers, sandboxPushMessages } from '#sandbox/schema.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import { pageHeaders, bankPage } from '#sandbox/page-html.ts';

type PushDeps = Pick<Deps, 'db' | 'clock' | 'random'>;

const retentionMs = 24 * 60 * 60_000;
/** The minimum that every push service accepts (RFC 8030, 7.2). */
const maxBytes = 4096;
/** Four weeks: a service may shorten a message's TTL, and returns the shorter one. */
const maxTtl = 28 * 24 * 60 * 60;

const optionsSchema = v.object({ vapid: v.pipe(v.string(), v.regex(/^[\w-]{87}$/)) });

/**
 * The sandbox push service between server and browser, by RFC 8030 with the keys of RFC 8292. Browsers subscribe (`POST
 * …/subscribe`) and unsubscribe (`DELETE` of their URL), the server posts messages. It refuses what a real service
 * refuses, and cannot decrypt the content.
 */
export function sandboxPush(deps: PushDeps): Hono {
  const app = new Hono();
  const browser = `${sandboxPushPath}/browsers/:id`;
  app.post(`${sandboxPushPath}/subscribe`, async (c) => {
    const options = v.safeParse(v.pipe(v.string(), v.parseJson(), optionsSchema), await c.req.text());
    if (!options.success) return c.text('an application server key is needed', 400);
    const id = deps.random.token(32);
    await deps.db.insert(sandboxPushBrowsers).values({ id, vapidKey: options.output.vapid, createdAt: deps.clock() });
    const address = `${new URL(c.req.url).origin}${sandboxPushPath}/browsers/${id}`;
    return c.body(null, 201, { location: address, link: `<${address}>; rel="urn:ietf:params:push"` });
  });
  app.post(browser, async (c) => post(deps, c.req.raw, c.req.param('id')));
  app.delete(browser, async (c) => {
    await deps.db
      .update(sandboxPushBrowsers)
      .set({ gone: true })
      .where(eq(sandboxPushBrowsers.id, c.req.param('id')));
    return c.body(null, 204);
  });
  return app;
}

const textResponse = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers } });

async function post(deps: PushDeps, request: Request, id: string): Promise<Response> {
  const { db, clock } = deps;
  const [browser] = await db.select().from(sandboxPushBrowsers).where(eq(sandboxPushBrowsers.id, id));
  if (!browser) return textResponse(404, 'no such subscription');
  if (browser.gone) return textResponse(410, 'this subscription has ended');
  const sender = await verifiedSender(request, clock());
  if (!sender) return textResponse(401, 'no valid token of an application server', { 'www-authenticate': 'vapid' });
  if (sender !== browser.vapidKey)
    return textResponse(403, 'another key than the one that the browser subscribed with');
  const message = await parseMessage(request);
  if ('refusal' in message) return message.refusal;
  return storeMessage(deps, id, message);
}

interface StoredMessage {
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string | null;
  readonly body: Uint8Array;
}

/** RFC 8030, 5.2 to 5.4; RFC 8188, 2.1: a salt, a record size, and the sender's key for this one message. */
async function parseMessage(request: Request): Promise<StoredMessage | { refusal: Response }> {
  const { headers } = request;
  const wrong = (status: number, text: string) => ({ refusal: textResponse(status, text) });
  const ttl = headers.get('ttl') ?? '';
  if (!/^\d{1,10}$/.test(ttl)) return wrong(400, 'TTL is needed, in seconds');
  const topic = headers.get('topic');
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return wrong(400, 'a topic has 32 characters of base64url');
  const urgency = headers.get('urgency') ?? 'normal';
  if (!/^(very-low|low|normal|high)$/.test(urgency)) return wrong(400, 'no such urgency');
  if (headers.get('content-encoding') !== 'aes128gcm') return wrong(415, 'only aes128gcm is understood');
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.length > maxBytes) return wrong(413, 'too large');
  const keyBytes = body[20];
  if (keyBytes !== 65 || body.length <= 21 + keyBytes || body[21] !== 4) return wrong(400, 'this is not encrypted');
  return { ttl: Math.min(maxTtl, Number(ttl)), urgency, topic, body };
}

/** A waiting message is replaced by a later one of its topic. Old messages are deleted. */
async function storeMessage(
  { db, clock, random }: PushDeps,
  browserId: string,
  message: StoredMessage,
): Promise<Response> {
  const now = clock();
  const [id, ofBrowser] = [random.token(16), eq(sandboxPushMessages.browserId, browserId)];
  await db.delete(sandboxPushMessages).where(and(ofBrowser, lte(sandboxPushMessages.receivedAt, now - retentionMs)));
  if (message.topic !== null) {
    await db.delete(sandboxPushMessages).where(and(ofBrowser, eq(sandboxPushMessages.topic, message.topic)));
  }
  await db.insert(sandboxPushMessages).values({ id, browserId, ...message, receivedAt: now });
  return textResponse(201, '', { location: `${sandboxPushPath}/messages/${id}`, ttl: String(message.ttl) });
}

const maxTokenSeconds = 24 * 60 * 60;

/**
 * The sender's public key, if the request's token is valid for it (RFC 8292, 2 and 4.2): signed with ES256 by that key,
 * for this service, expiring within a day, with a contact. `now` is epoch milliseconds.
 */
async function verifiedSender(request: Request, now: number): Promise<string | undefined> {
  const found = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]{87})$/.exec(request.headers.get('authorization') ?? '');
  if (!found) return undefined;
  const [, token = '', key = ''] = found;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  try {
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      audience: new URL(request.url).origin,
      currentDate: new Date(now),
      requiredClaims: ['exp', 'sub'],
    });
    const remainingSeconds = (payload.exp ?? 0) - now / 1000;
    return remainingSeconds <= maxTokenSeconds && /^(mailto:|https:)./.test(payload.sub ?? '') ? key : undefined;
  } catch {
    // invalid for any reason: a real service reveals no more to the sender
    return undefined;
  }
}

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
    const none = 'Nothing yet. A customer has to subscribe to notifications.';
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
