import type { Brand } from '../brand/catalog.ts';
import type { Database } from '../db/connect.ts';
import { outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import type { MailText } from './mail-text.ts';

export interface QueuedMail extends MailText {
  readonly brand: Pick<Brand, 'code'>;
  readonly to: string;
}

/** Writes a mail to be sent, in the transaction of what it tells of: both happen or neither does. */
export async function queueMail(
  db: Database,
  { brand, to, subject, text, html }: QueuedMail,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  const now = clock();
  await db.insert(outbox).values({
    id: random.id(),
    brand: brand.code,
    recipient: to,
    subject,
    text,
    html,
    createdAt: now,
    nextTryAt: now,
  });
}
