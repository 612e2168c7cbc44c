import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { CodePurpose } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import { verificationCodeDigits } from '#contract/limits.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { GivenCaptcha } from './captcha/captcha-owner.ts';
import type { Database } from '#server/db/connect.ts';
import { verificationCodes } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { queueMessageRequest } from '#server/messages/message-requests.ts';
import { countSmsRequest } from '#server/messages/sms-budget.ts';
import type { Env } from '#server/env.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { Identity } from '#server/site/account-rules.ts';
import {
  assertLifetime,
  countMiss,
  countWrongCode,
  uncountGuess,
  countCodeGuess,
  type Guesser,
} from './code-guesses.ts';
import { countCodeRequest } from './code-limits.ts';
import { findLimitSubject } from './customer-key.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

const lifetimeMs = 10 * 60_000;
const triesOfACode = 3;

/** Refuses with `operationUnsupported` at the number where a code would have to go by SMS, and none can be sent. */
export function assertCanBeSent(
  refuse: Refuse<'operationUnsupported'>,
  { sms }: Pick<Deps, 'sms'>,
  type: Identity['type'],
): void {
  if (type === 'phone' && !sms) refuse('operationUnsupported', { field: 'phone' });
}

interface NewCode {
  /** code of the brand */
  readonly brand: string;
  readonly identity: Pick<Identity, 'account' | 'type'>;
  readonly scene: CodePurpose;
  /** one that the brand speaks */
  readonly language: Language;
  readonly ip: string;
}

export interface CodeRequest extends NewCode, GivenCaptcha {
  readonly scene: Exclude<CodePurpose, 'confirm'>;
  /** the device token that came along */
  readonly device?: string | undefined;
}

/**
 * Makes a code of four digits, which only this asker can use ([Note: Guessing codes]), and has it sent. The same work for
 * any account: what to write to whom is found out later ([Note: Message requests]). Answers the name of the request, and how many
 * seconds until another can be made. Refuses with `tooFrequent`, `wrongCaptcha`, `operationUnsupported`.
 */
export async function requestCode(
  refuse: Refuse<'operationUnsupported' | 'tooFrequent' | 'wrongCaptcha'>,
  deps: Deps,
  { identity, language, device, ...request }: CodeRequest,
): Promise<{ waitSeconds: number; request: string }> {
  const { brand } = request;
  const { account } = identity;
  const { known } = await findLimitSubject(deps, { brand, identity, device });
  const waitSeconds = await countCodeRequest(refuse, deps, { ...request, account, known }, deps.clock());
  return { waitSeconds, request: await makeCode(refuse, deps, { ...request, identity, language }, known) };
}

/** Makes a code for whom the limits have let pass; `asker` as in `MessageRequest`. Answers the name of the request. */
export async function makeCode(
  refuse: Refuse<'operationUnsupported'>,
  deps: Deps,
  { brand, identity: { account, type }, scene, language, ip }: NewCode,
  asker: string | undefined,
): Promise<string> {
  if (type === 'phone') {
    const known = deps.catalog.byCode(brand) ?? refuse('operationUnsupported', { field: 'phone' });
    const toAccount = scene !== 'signup' && scene !== 'contact';
    await countSmsRequest(refuse, deps, known, { number: account, ip, known: asker !== undefined, toAccount });
  }
  const now = deps.clock();
  const code = deps.random.text('0123456789', verificationCodeDigits);
  const name = deps.random.token(16);
  await deps.db.transaction(async (tx) => {
    await tx.insert(verificationCodes).values({
      brand,
      account,
      scene,
      request: name,
      network: networksOf(ip).near,
      codeHash: hashOf(deps.env, { brand, account, scene, code }),
      triesLeft: triesOfACode,
      createdAt: now,
      expiresAt: now + lifetimeMs,
    });
    const message = { kind: 'code', account, accountType: type, language, scene, code, asker } as const;
    await queueMessageRequest(tx, { brandCode: brand, ...message }, deps);
  });
  return name;
}

export interface CodeGuess extends Guesser {
  readonly scene: CodePurpose;
  readonly code: string;
  /** the name of the request that the code was sent for; without it, the newest from this network */
  readonly request?: string | undefined;
  readonly ip: string;
}

/** What `consumeCode` refuses with. */
export type SpendCodeErrors = 'codeExpired' | 'codeNotFound' | 'operationUnsupported' | 'tooManyFailures' | 'wrongCode';

/**
 * Spends a code, once. Refuses with `wrongCode` and `triesLeft` a wrong one, with `codeExpired` one that is too old or has
 * no tries left, with `codeNotFound` where none was asked for from here or it is spent, with `tooManyFailures` when the
 * tries of the day are used up, or those of a network that tries codes which are not there, with `operationUnsupported` an
 * account that has had too many wrong codes.
 *
 * The try is counted before the code is looked at, by one statement, so that guesses at the same moment are never more
 * than three. Never call this in a transaction that the refusal would roll back: the try would not count.
 */
export async function consumeCode(
  refuse: Refuse<SpendCodeErrors>,
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  guess: CodeGuess,
): Promise<void> {
  const { db, env } = deps;
  const now = deps.clock();
  await assertLifetime(refuse, deps, guess, now);
  const code = await findCode(db, guess);
  const row = code && (await takeCodeTry(db, code, now));
  if (!row) {
    await countMiss(refuse, db, guess, now);
    return refuse(code ? 'codeExpired' : 'codeNotFound');
  }
  const counts = await countCodeGuess(refuse, deps, guess, now);
  if (!sameHash(row.codeHash, hashOf(env, guess)) || !counts) {
    await countWrongCode(deps, guess, now);
    return refuse('wrongCode', { triesLeft: row.triesLeft });
  }
  if (!(await takeAway(db, row))) return refuse('codeNotFound');
  await uncountGuess(deps, guess);
}

type CodeRow = typeof verificationCodes.$inferSelect;

const theCode = ({ brand, account, scene, request }: CodeRow) =>
  and(
    eq(verificationCodes.brand, brand),
    eq(verificationCodes.account, account),
    eq(verificationCodes.scene, scene),
    eq(verificationCodes.request, request),
  );

/** Spends a code, and with it those that the same network asked for before. False when another call was faster. */
async function takeAway(db: Database, row: CodeRow): Promise<boolean> {
  const { brand, account, scene, network } = verificationCodes;
  const ofAsker = and(
    eq(brand, row.brand),
    eq(account, row.account),
    eq(scene, row.scene),
    eq(network, row.network),
    lte(verificationCodes.createdAt, row.createdAt),
  );
  const gone = await db.delete(verificationCodes).where(ofAsker).returning({ request: verificationCodes.request });
  return gone.some(({ request }) => request === row.request);
}

/** The code of this request, or the newest of this network. */
async function findCode(db: Database, { brand, account, scene, request, ip }: CodeGuess): Promise<CodeRow | undefined> {
  const [code] = await db
    .select()
    .from(verificationCodes)
    .where(
      and(
        eq(verificationCodes.brand, brand),
        eq(verificationCodes.account, account),
        eq(verificationCodes.scene, scene),
        request === undefined
          ? eq(verificationCodes.network, networksOf(ip).near)
          : eq(verificationCodes.request, request),
      ),
    )
    .orderBy(desc(verificationCodes.createdAt))
    .limit(1);
  return code;
}

async function takeCodeTry(db: Database, code: CodeRow, now: number): Promise<CodeRow | undefined> {
  const [row] = await db
    .update(verificationCodes)
    .set({ triesLeft: sql`${verificationCodes.triesLeft} - 1` })
    .where(and(theCode(code), gt(verificationCodes.triesLeft, 0), gt(verificationCodes.expiresAt, now)))
    .returning();
  return row;
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
