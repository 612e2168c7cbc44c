import * as v from 'valibot';
import { bodyLimitBytes } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { smsSignatureHeader, smsTimestampHeader } from '#server/messages/sms-webhook.ts';
import { isSignedNotice } from '#server/payments/notice-signature.ts';
import { refusalOf } from '#server/runtime/request/api-error.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import type { App } from '#server/runtime/request/request-context.ts';

/** `transient` is a mailbox that is full, or a server that rests: the mail provider tries again, and nothing is noted. */
const noticeSchema = v.object({
  events: v.pipe(
    v.array(
      v.object({
        address: v.pipe(v.string(), v.minLength(3), v.maxLength(320)),
        type: v.picklist(['permanent', 'transient', 'complaint']),
      }),
    ),
    v.maxLength(500),
  ),
});

const empty = (status: number) => new Response(null, { status, headers: { 'cache-control': 'no-store' } });

/**
 * Where the mail provider tells what came back: `POST /webhooks/mail` of `{ events: [{ address, type }] }`, signed as the
 * shop signs its own calls ([Note: SMS webhook]) by `MAIL_BOUNCE_SECRET`, and five minutes old at most. What is told again
 * changes nothing, so there is nothing to count. 401 for what is not signed, 400 for what cannot be read, 204 when noted.
 */
export function mountMailBounces(app: App, deps: Deps): void {
  const { env, db, clock, log } = deps;
  const secret = env.MAIL_BOUNCE_SECRET;
  if (secret === undefined) return;
  app.post('/webhooks/mail', async (c) => {
    c.set('route', '/webhooks/mail');
    const timestamp = c.req.header(smsTimestampHeader) ?? null;
    const signature = c.req.header(smsSignatureHeader) ?? null;
    // nothing is read of what has no signature
    const isUnsigned = timestamp === null || signature === null;
    const body = isUnsigned ? '' : await readText(c, deps, { maxBytes: bodyLimitBytes }).catch(refusalOf);
    if (typeof body !== 'string') return empty(body.status);
    if (isUnsigned || !isSignedNotice(secret, { timestamp, signature, body }, clock())) {
      log.warn({ traceId: c.get('traceId') }, 'a notice of mail that came back was refused');
      return empty(401);
    }
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), body);
    if (!parsed.success) return empty(400);
    for (const { address, type } of parsed.output.events)
      if (type !== 'transient') await recordBounce({ db, env }, address, type, clock());
    return empty(204);
  });
}
