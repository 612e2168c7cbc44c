import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { outbox, type AttachedReceipt } from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import type { MailText } from './mail-text.ts';

type ClockAndRandom = Pick<Deps, 'clock' | 'random'>;

export interface QueuedMail extends MailText {
  readonly brand: Pick<Brand, 'code'>;
  readonly to: string;
  /** of an offer: the uid of its customer ([Note: Offers]) */
  readonly offersTo?: string;
  /** what its reader has just asked for, such as a code: it goes out whatever came back before ([Note: Bounces]) */
  readonly asked?: boolean;
  /** what is attached to it, as PDF */
  readonly receipt?: AttachedReceipt;
}

/** Writes a mail to be sent, in the transaction of what it tells of: both happen or neither does. */
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

/** What every message of the outbox begins with. */
export function freshMessage({ clock, random }: ClockAndRandom) {
  const now = clock();
  return { id: random.id(), createdAt: now, nextTryAt: now };
}
