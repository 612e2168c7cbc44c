import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { outbox } from '../db/schema.ts';

type Row = typeof outbox.$inferSelect;

const atOnce = 20;
const firstWaitMs = 60_000;
const longestWaitMs = 6 * 60 * 60 * 1000;
const leaseMs = 2 * 60 * 1000;

/**
 * Sends what is due, oldest first, and tells how many went out. A mail that is refused is tried again later, ever more
 * patiently. Each is taken by pushing its next try ahead first, so that two processes do not send the same one.
 */
export async function deliverDueMail(deps: Deps): Promise<number> {
  const now = deps.clock();
  const due = await deps.db
    .select()
    .from(outbox)
    .where(and(isNull(outbox.sentAt), lte(outbox.nextTryAt, now)))
    .orderBy(asc(outbox.nextTryAt))
    .limit(atOnce);
  let sent = 0;
  for (const mail of due) {
    if ((await take(mail, deps)) && (await deliver(mail, deps))) sent += 1;
  }
  return sent;
}

async function take({ id, nextTryAt }: Row, { db, clock }: Deps): Promise<boolean> {
  const taken = await db
    .update(outbox)
    .set({ nextTryAt: clock() + leaseMs, tries: sql`${outbox.tries} + 1` })
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt), eq(outbox.nextTryAt, nextTryAt)))
    .returning({ id: outbox.id });
  return taken.length === 1;
}

async function deliver(mail: Row, { db, mailer, catalog, env, clock, log }: Deps): Promise<boolean> {
  const name = (catalog.byCode(mail.brand)?.name ?? '').replaceAll(/["<>\r\n]/g, '');
  const { recipient: to, subject, text, html } = mail;
  try {
    await mailer.send({ from: `"${name}" <${env.MAIL_FROM}>`, to, subject, text, html });
  } catch (error) {
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** mail.tries);
    log.warn({ err: error, mail: mail.id, tries: mail.tries + 1 }, 'a mail was not accepted');
    await db
      .update(outbox)
      .set({ nextTryAt: clock() + waitMs })
      .where(eq(outbox.id, mail.id));
    return false;
  }
  await db.update(outbox).set({ sentAt: clock() }).where(eq(outbox.id, mail.id));
  return true;
}
