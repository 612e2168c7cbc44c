import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { CodeScene } from '../../contract/codes.ts';
import type { Language } from '../../contract/fields.ts';
import { verificationCodeDigits } from '../../contract/limits.ts';
import { refuse } from '../api-error.ts';
import type { Database } from '../db/connect.ts';
import { verificationCodes } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { queueLetter } from '../email/letters.ts';
import type { Env } from '../env.ts';
import type { Identity } from './account-rules.ts';
import { assertMayGuess, countWrongCode, giveBackGuess, takeCodeRequest } from './code-limits.ts';
import { derivedKey } from './derived-key.ts';

const lifetimeMs = 10 * 60_000;
const triesOfACode = 3;

export interface CodeRequest {
  /** code of the brand */
  readonly brand: string;
  readonly identity: Identity;
  readonly scene: CodeScene;
  /** one that the brand speaks */
  readonly language: Language;
  readonly ip: string;
  readonly captchaId?: string | undefined;
  readonly captcha?: string | undefined;
}

/**
 * Makes a code of four digits, in place of an earlier one, and has it sent. The same work for any account: whether
 * there is one, and what to write to whom, is found out later ([Note: Letters]). Answers how many seconds until another
 * can be asked for. Refuses with -3031, -3035, 4598.
 */
export async function requestCode(deps: Deps, request: CodeRequest): Promise<{ waitSeconds: number }> {
  const { brand, identity, scene, language } = request;
  const now = deps.clock();
  const { account } = identity;
  const waitSeconds = await takeCodeRequest(deps, { ...request, account }, now);
  const code = deps.random.text('0123456789', verificationCodeDigits);
  const fresh = {
    codeHash: hashOf(deps.env, { brand, account, scene, code }),
    triesLeft: triesOfACode,
    createdAt: now,
    expiresAt: now + lifetimeMs,
  };
  await deps.db.transaction(async (tx) => {
    await tx
      .insert(verificationCodes)
      .values({ brand, account, scene, ...fresh })
      .onConflictDoUpdate({
        target: [verificationCodes.brand, verificationCodes.account, verificationCodes.scene],
        set: fresh,
      });
    const letter = { kind: 'code', account, accountType: identity.type, language, scene, code } as const;
    await queueLetter(tx, { brandCode: brand, ...letter }, deps);
  });
  return { waitSeconds };
}

export interface CodeGuess {
  /** code of the brand */
  readonly brand: string;
  /** as `users.account` has it, or the bound address that the code was asked for */
  readonly account: string;
  readonly scene: CodeScene;
  readonly code: string;
  readonly ip: string;
}

/**
 * Spends a code, once. Refuses with 11 and `triesLeft` a wrong one, with 10 one that is too old or has no tries left,
 * with -3033 where none was asked for or it is spent, with 17 an address that guesses, with 4598 an account that has
 * had too many wrong codes.
 *
 * The try is counted before the code is looked at, by one statement, so that guesses at the same moment are never more
 * than three. Never call this in a transaction that the refusal would roll back: the try would not count.
 */
export async function spendCode(deps: Pick<Deps, 'db' | 'env' | 'clock'>, guess: CodeGuess): Promise<void> {
  const { db, env } = deps;
  const now = deps.clock();
  await assertMayGuess(db, guess, now);
  const row = await takeCodeTry(db, guess, now);
  if (!row) return refuse((await hasCode(db, guess)) ? 10 : -3033);
  if (!sameHash(row.codeHash, hashOf(env, guess))) {
    await countWrongCode(db, guess, now);
    return refuse(11, { triesLeft: row.triesLeft });
  }
  const [spent] = await db
    .delete(verificationCodes)
    .where(and(theCode(guess), eq(verificationCodes.codeHash, row.codeHash)))
    .returning({ account: verificationCodes.account });
  if (!spent) return refuse(-3033);
  await giveBackGuess(db, guess);
}

const theCode = ({ brand, account, scene }: Pick<CodeGuess, 'brand' | 'account' | 'scene'>) =>
  and(eq(verificationCodes.brand, brand), eq(verificationCodes.account, account), eq(verificationCodes.scene, scene));

async function takeCodeTry(db: Database, guess: CodeGuess, now: number) {
  const [row] = await db
    .update(verificationCodes)
    .set({ triesLeft: sql`${verificationCodes.triesLeft} - 1` })
    .where(and(theCode(guess), gt(verificationCodes.triesLeft, 0), gt(verificationCodes.expiresAt, now)))
    .returning({ codeHash: verificationCodes.codeHash, triesLeft: verificationCodes.triesLeft });
  return row;
}

async function hasCode(db: Database, guess: CodeGuess): Promise<boolean> {
  const rows = await db.select({ scene: verificationCodes.scene }).from(verificationCodes).where(theCode(guess));
  return rows.length > 0;
}

function hashOf(
  env: Pick<Env, 'SIGNING_SECRET'>,
  { brand, account, scene, code }: Pick<CodeGuess, 'brand' | 'account' | 'scene' | 'code'>,
): string {
  return createHmac('sha256', derivedKey(env, 'verification code'))
    .update(JSON.stringify([brand, account, scene, code]))
    .digest('hex');
}

function sameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
