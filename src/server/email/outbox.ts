import type { Brand } from '../brand/catalog.ts';
import type { Database } from '../db/connect.ts';
import { outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import type { TextMessage } from '../sms/sms.ts';
import type { MailText } from './mail-text.ts';

type Chance = Pick<Deps, 'clock' | 'random'>;

export interface QueuedMail extends MailText {
  readonly brand: Pick<Brand, 'code'>;
  readonly to: string;
}

export interface QueuedSms extends TextMessage {
  readonly brand: Pick<Brand, 'code'>;
}

/** Writes a mail to be sent, in the transaction of what it tells of: both happen or neither does. */
export async function queueMail(
  db: Database,
  { brand, to, subject, text, html }: QueuedMail,
  chance: Chance,
): Promise<void> {
  await db
    .insert(outbox)
    .values({ ...fresh(chance), brand: brand.code, channel: 'mail', recipient: to, subject, text, html });
}

/** Writes an SMS to be sent; `to` is digits with the country code. */
export async function queueSms(db: Database, { brand, to, text }: QueuedSms, chance: Chance): Promise<void> {
  const row = { brand: brand.code, channel: 'sms', recipient: to, subject: '', text, html: '' } as const;
  await db.insert(outbox).values({ ...fresh(chance), ...row });
}

function fresh({ clock, random }: Chance) {
  const now = clock();
  return { id: random.id(), createdAt: now, nextTryAt: now };
}
