import type { Brand } from '../brand/catalog.ts';
import type { Database } from '../db/connect.ts';
import { outbox, type AttachedReceipt } from '../db/schema/outbox.ts';
import type { Deps } from '../deps.ts';
import type { TextMessage } from './sms.ts';
import type { MailText } from './mail-text.ts';
import { canonicalNumber } from '../process/phone-number.ts';

type Chance = Pick<Deps, 'clock' | 'random'>;

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

export interface QueuedSms extends TextMessage {
  readonly brand: Pick<Brand, 'code'>;
  /** how long it is worth sending, in milliseconds; as long as a code where it is not told */
  readonly lifetimeMs?: number;
  /** its reader waits for it now, such as for a code: it is sent before the others */
  readonly asked?: boolean;
}

/** Writes a mail to be sent, in the transaction of what it tells of: both happen or neither does. */
export async function queueMail(
  db: Database,
  { brand, to, subject, text, html, offersTo, asked = false, receipt }: QueuedMail,
  chance: Chance,
): Promise<void> {
  await db.insert(outbox).values({
    ...fresh(chance),
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

/** Writes an SMS to be sent; `to` is digits with the country code, in any spelling that an account may be stored under. */
export async function queueSms(
  db: Database,
  { brand, to, text, lifetimeMs, asked = false }: QueuedSms,
  chance: Chance,
): Promise<void> {
  const recipient = canonicalNumber(`+${to}`)?.digits ?? to;
  const row = { brand: brand.code, channel: 'sms', recipient, subject: '', text, html: '', asked } as const;
  const made = fresh(chance);
  const expiresAt = lifetimeMs === undefined ? null : made.createdAt + lifetimeMs;
  await db.insert(outbox).values({ ...made, ...row, expiresAt });
}

function fresh({ clock, random }: Chance) {
  const now = clock();
  return { id: random.id(), createdAt: now, nextTryAt: now };
}
