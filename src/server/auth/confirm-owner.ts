import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/confirm-owner.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { clearTries, secondsUntil, countTry, consumeOnce } from '#server/runtime/limits/throttle.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { assertCanBeSent, makeCode, consumeCode } from './codes.ts';
import { assertCodesAllowed } from './code-guesses.ts';
import { supportedLanguage } from './signup.ts';
import { limitSubjectOf } from './login-limits.ts';
import { comparePassword } from './password.ts';

const minuteMs = 60_000;
const lifetimeMs = 10 * minuteMs;
/** Limits password guesses by an attacker who found an unlocked phone. */
const passwordTries = { tries: 10, windowMs: 15 * minuteMs };
/** Limits of a session, not of a customer: an attacker with a stolen session cannot use up its owner's codes. */
const oneAMinute = { tries: 1, windowMs: minuteMs };
const codesADay = { tries: 6, windowMs: 24 * 60 * minuteMs };

/**
 * Creates a confirmation: a signature over customer, session, purpose and expiry. It is not stored and ends with its
 * session. Handlers that need one call `assertConfirmed`, or `consumeConfirmed` in the transaction of a change that
 * happens once.
 */
export const confirmOwner: Handler<typeof contract.confirmOwner> = async ({ body }, context) => {
  const { deps, brand, user, ip } = context;
  if ('password' in body) await checkOwnPassword(context, body.password);
  else {
    const owner = { brand: brand.code, account: user.account };
    const subject = limitSubjectOf(deps.env, user, { ...owner, device: body.device });
    await consumeCode(context.refuse, deps, {
      ...owner,
      ...subject,
      scene: 'confirm',
      code: body.code,
      request: body.request,
      ip,
    });
  }
  const expiresAt = deps.clock() + lifetimeMs;
  const payload = [deps.random.token(16), String(expiresAt)];
  return {
    confirmation: [...payload, sign(context, body.purpose, payload).toString('base64url')].join('.'),
    expiresAt,
  };
};

/**
 * Checks the password of a logged-in customer and returns its hash, for `isPasswordUnchanged`. `wrongPassword`;
 * `operationUnsupported`: the account has no password; `tooManyFailures`: ten wrong ones, for any purpose.
 */
export async function checkOwnPassword(
  { deps, brand, user, ip, refuse }: CustomerContext<'operationUnsupported' | 'tooManyFailures' | 'wrongPassword'>,
  password: string,
): Promise<string> {
  const key = `own password ${brand.code} ${user.uid}`;
  const taken = await countTry(deps.db, key, passwordTries, deps.clock());
  if (!taken.allowed) return refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  const [own] = await deps.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.brand, brand.code), eq(users.uid, user.uid)));
  const passwordHash = own?.passwordHash;
  if (!passwordHash) return refuse('operationUnsupported');
  if ((await comparePassword(passwordHash, password, ip)) === 'no') return refuse('wrongPassword');
  await clearTries(deps.db, key);
  return passwordHash;
}

export const sendConfirmCode: Handler<typeof contract.sendConfirmCode> = async ({ body }, context) => {
  const { deps, brand, user, ip, tokenHash } = context;
  assertCanBeSent(context.refuse, deps, user.accountType);
  const now = deps.clock();
  const owner = { brand: brand.code, account: user.account };
  const { known } = limitSubjectOf(deps.env, user, { ...owner, device: body.device });
  await assertCodesAllowed(context.refuse, deps, { ...owner, known }, now);
  const pause = await countTry(deps.db, `confirm pause ${tokenHash}`, oneAMinute, now);
  if (!pause.allowed) return context.refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const day = await countTry(deps.db, `confirm day ${tokenHash}`, codesADay, now);
  if (!day.allowed) return context.refuse('tooFrequent', { waitSeconds: day.waitSeconds });
  const identity = { account: user.account, type: user.accountType };
  const asked = { brand: brand.code, identity, scene: 'confirm', ip } as const;
  const request = await makeCode(
    context.refuse,
    deps,
    { ...asked, language: supportedLanguage(brand, body.language) },
    known,
  );
  return { waitSeconds: secondsUntil(pause.resetsAt, now), request };
};

/** `requestExpired`: the confirmation is missing, for another purpose or session, or older than ten minutes. */
export function assertConfirmed(
  context: CustomerContext<'requestExpired'>,
  purpose: contract.ConfirmPurpose,
  confirmation: string | undefined,
): { nonce: string; validUntil: number } {
  const [nonce = '', until = '', ...rest] = (confirmation ?? '').split('.');
  const given = Buffer.from(rest.join('.'), 'base64url');
  const expected = sign(context, purpose, [nonce, until]);
  const fits = given.length === expected.length && timingSafeEqual(given, expected);
  if (!fits || Number(until) <= context.deps.clock()) return context.refuse('requestExpired');
  return { nonce, validUntil: Number(until) };
}

/** Like `assertConfirmed`, and valid once. `tx` is the transaction of the change. */
export async function consumeConfirmed(
  tx: Database,
  context: CustomerContext<'requestExpired'>,
  purpose: contract.ConfirmPurpose,
  confirmation: string | undefined,
): Promise<void> {
  const { nonce, validUntil } = assertConfirmed(context, purpose, confirmation);
  const id = `confirmed ${nonce}`;
  if (!(await consumeOnce(tx, { brand: context.brand.code, id, validUntil }))) context.refuse('requestExpired');
}

function sign({ deps, brand, user, tokenHash }: CustomerContext, purpose: string, payload: readonly string[]): Buffer {
  return createHmac('sha256', derivedKey(deps.env, 'owner confirmation'))
    .update(JSON.stringify([brand.code, user.uid, tokenHash, purpose, ...payload]))
    .digest();
}
