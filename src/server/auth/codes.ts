import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { CodePurpose } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import { verificationCodeDigits } from '#contract/limits.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CaptchaInput } from './captcha/captcha-owner.ts';
import type { Database } from '#server/db/connect.ts';
import { verificationCodes } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { queueMessageRequest } from '#server/messages/message-requests.ts';
import { countSmsRequest } from '#server/messages/sms-budget.ts';
import type { Env } from '#server/env.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { Identity } from '#server/site/account-rules.ts';
import {
  assertCodesAllowed,
  countGuessWithoutCode,
  countWrongCode,
  uncountGuess,
  countCodeGuess,
  type CodeGuessSource,
} from './code-guesses.ts';
import { countCodeRequest } from './code-limits.ts';
import { findLimitSubject } from './login-limits.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

export const codeLifetimeMs = 10 * 60_000;
const triesOfACode = 3;

/** `operationUnsupported` with the phone field if the code has to be sent by SMS and no SMS provider is configured. */
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
  /** a language of the brand */
  readonly language: Language;
  readonly ip: string;
}

interface CodeRequest extends NewCode, CaptchaInput {
  readonly scene: Exclude<CodePurpose, 'confirm'>;
  /** the device token of the request */
  readonly device?: string | undefined;
}

/**
 * Creates a four-digit code for this request and queues its message. It does the same work for every account: the job
 * decides later what is sent ([Note: Message requests]). Returns the request's ID and the seconds until the next is
 * possible. Errors: `tooFrequent`, `wrongCaptcha`, `operationUnsupported`.
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

/**
 * Creates a code after the limits have admitted the request; `asker` as in `MessageRequest`. Returns the request's ID.
 */
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
      expiresAt: now + codeLifetimeMs,
    });
    const message = { kind: 'code', account, accountType: type, language, scene, code, asker } as const;
    await queueMessageRequest(tx, { brandCode: brand, ...message }, deps);
  });
  return name;
}

interface CodeGuess extends CodeGuessSource {
  readonly scene: CodePurpose;
  readonly code: string;
  /** ID of the request that the code was sent for; without it, the newest of this network */
  readonly request?: string | undefined;
  readonly ip: string;
}

/** The errors of `consumeCode`. */
export type ConsumeCodeErrors =
  | 'codeExpired'
  | 'codeNotFound'
  | 'operationUnsupported'
  | 'tooManyFailures'
  | 'wrongCode';

/**
 * Consumes a code, once. `wrongCode` with `triesLeft`; `codeExpired`: too old, or no attempts left; `codeNotFound`: not
 * requested from here, or consumed; `tooManyFailures`: the attempts of the day are used up, or the network has tried
 * too many codes that do not exist; `operationUnsupported`: too many wrong codes for this account.
 * One statement counts the attempt before the code is compared, so that concurrent guesses are limited to three as
 * well. Never call it in a transaction that the refusal rolls back: the attempt would not be counted.
 */
export async function consumeCode(
  refuse: Refuse<ConsumeCodeErrors>,
  deps: Pick<Deps, 'db' | 'env' | 'clock'>,
  guess: CodeGuess,
): Promise<void> {
  const { db, env } = deps;
  const now = deps.clock();
  await assertCodesAllowed(refuse, deps, guess, now);
  const code = await findCode(db, guess);
  const row = code && (await consumeTry(db, code, now));
  if (!row) {
    await countGuessWithoutCode(refuse, db, guess, now);
    return refuse(code ? 'codeExpired' : 'codeNotFound');
  }
  const counts = await countCodeGuess(refuse, deps, guess, now);
  if (!sameHash(row.codeHash, hashOf(env, guess)) || !counts) {
    await countWrongCode(deps, guess, now);
    return refuse('wrongCode', { triesLeft: row.triesLeft });
  }
  if (!(await deleteCode(db, row))) return refuse('codeNotFound');
  await uncountGuess(deps, guess);
}

type CodeRow = typeof verificationCodes.$inferSelect;

const isCode = ({ brand, account, scene, request }: CodeRow) =>
  and(
    eq(verificationCodes.brand, brand),
    eq(verificationCodes.account, account),
    eq(verificationCodes.scene, scene),
    eq(verificationCodes.request, request),
  );

/** Consumes a code and the earlier ones of the same network. False when another call was faster. */
async function deleteCode(db: Database, row: CodeRow): Promise<boolean> {
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

async function consumeTry(db: Database, code: CodeRow, now: number): Promise<CodeRow | undefined> {
  const [row] = await db
    .update(verificationCodes)
    .set({ triesLeft: sql`${verificationCodes.triesLeft} - 1` })
    .where(and(isCode(code), gt(verificationCodes.triesLeft, 0), gt(verificationCodes.expiresAt, now)))
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
