import type { CodePurpose } from '#contract/codes.ts';
import type { AccountType } from '#contract/user.ts';
import type { Language } from '#contract/fields.ts';
import type { Database } from '#server/db/connect.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';

/**
 * [Note: Message requests] Whoever asks for a code, a reset or a confirmation gets the same answer after the same work, whether
 * the account exists or not: one row that says what was asked for. A job (jobs/write-requested-messages.ts) takes the rows half a
 * second later, looks for the account, and writes a mail or an SMS, or nothing. So neither words nor time tell an
 * outsider who is a customer.
 */
export interface MessageRequest {
  readonly brandCode: string;
  readonly kind: 'code' | 'reset' | 'confirm';
  /** as `identityOf` gives it: a lower-cased address, or digits with the area code */
  readonly account: string;
  readonly accountType: AccountType;
  readonly language: Language;
  /** of a code only: what it is for */
  readonly scene?: CodePurpose | undefined;
  /** of a code only: its digits */
  readonly code?: string | undefined;
  /** a known device, or a session, that asked ([Note: Daily message limits]) */
  readonly asker?: string | undefined;
}

/** Asks for a message; one insert, whoever it is for. `db` may be a transaction. */
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
