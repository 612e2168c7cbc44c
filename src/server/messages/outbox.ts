import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { outbox, type AttachedReceipt } from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import type { MailText } from './mail-text.ts';

type ClockAndRandom = Pick<Deps, 'clock' | 'random'>;

export interface QueuedMail extends MailText {
  readonly brand: Pick<Brand, 'code'>;
  readonly to: string;
  /** of an offer: the uid of its customer */
  readonly offersTo?: string;
  /** its reader has just requested it, such as a code: it is sent even after a bounce */
  readonly asked?: boolean;
  /** attached as PDF */
  readonly receipt?: AttachedReceipt;
}

/** Queues a mail in the transaction of the change that it reports: both are committed or neither is. */
export async function queueMail(
  db: Database,
  { brand, to, subject, text, html, offersTo, asked = false, receipt }: QueuedMail,
  chance: ClockAndRandom,
): Promise<void> {
  await db.insert(outbox).values({
    ...freshMessage(chance),
    brand: brand.code,
    channel: 'mail',
    recipient: to,
    subject,
    text,
    html,
    offersTo: offersTo ?? null,
    asked,
    receipt: receipt ?? null,
  });
}

/** The columns that every message of the outbox starts with. */
export function freshMessage({ clock, random }: ClockAndRandom) {
  const now = clock();
  return { id: random.id(), createdAt: now, nextTryAt: now };
}
