import type { CodePurpose } from '#contract/codes.ts';
import type { AccountType } from '#contract/user.ts';
import type { Language } from '#contract/fields.ts';
import type { Database } from '#server/db/connect.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { outbox, type AttachedReceipt } from '#server/db/schema/outbox.ts';
import type { MailText } from './mail-html.ts';

/**
 * [Note: Message requests] Every request for a code, a reset or a confirmation gets the same response after the same
 * work, whether the account exists or not: one row. A job (jobs/write-requested-messages.ts) takes the rows half a
 * second later, looks up the account, and queues a mail or an SMS, or nothing. So neither content nor timing of a
 * response reveals whether an account exists.
 */
export interface MessageRequest {
  readonly brandCode: string;
  readonly kind: 'code' | 'reset' | 'confirm';
  /** as `identityOf` returns it: a lower-cased address, or digits with the area code */
  readonly account: string;
  readonly accountType: AccountType;
  readonly language: Language;
  /** of a code only: its purpose */
  readonly scene?: CodePurpose | undefined;
  /** of a code only: its digits */
  readonly code?: string | undefined;
  /** the known device or the session that made the request */
  readonly asker?: string | undefined;
}

/** Stores a request for a message in one insert, the same for every account. `db` may be a transaction. */
export async function queueMessageRequest(
  db: Database,
  { brandCode, kind, account, accountType, language, scene, code, asker }: MessageRequest,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  await db.insert(messageRequests).values({
    id: random.id(),
    brand: brandCode,
    kind,
    account,
    accountType,
    language,
    scene: scene ?? null,
    code: code ?? null,
    asker: asker ?? '',
    createdAt: clock(),
  });
}

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
  /** milliseconds after which it is useless and not sent any more */
  readonly lifetimeMs?: number;
}

/** Queues a mail in the transaction of the change that it reports: both are committed or neither is. */
export async function queueMail(
  db: Database,
  { brand, to, subject, text, html, offersTo, asked = false, receipt, lifetimeMs }: QueuedMail,
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
    expiresAt: lifetimeMs === undefined ? null : chance.clock() + lifetimeMs,
  });
}

/** The columns that every message of the outbox starts with. */
export function freshMessage({ clock, random }: ClockAndRandom) {
  const now = clock();
  return { id: random.id(), createdAt: now, nextTryAt: now };
}
