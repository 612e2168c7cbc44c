import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { normalizeToken } from '#contract/normalize-text.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { captchas } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { captchaLifetimeMs, type CaptchaOwner, type CaptchaInput } from './captcha-owner.ts';
import { verifyProofOfWork } from './proof-of-work.ts';

type TicketDeps = Pick<Deps, 'db' | 'clock' | 'env'>;

/** What a call requires: nothing, any captcha ticket, or a ticket of proof of work. */
export type CaptchaRequirement = 'none' | 'captcha' | 'work';

/**
 * Whether the given ticket is sufficient. It is consumed only if one is required, and only if it is of the required
 * kind.
 */
export async function verifyCaptchaTicket(
  deps: TicketDeps & Pick<Deps, 'metrics'>,
  owner: CaptchaOwner,
  given: CaptchaInput,
  due: CaptchaRequirement,
): Promise<boolean> {
  if (due === 'none') return true;
  const passed =
    (await verifyProofOfWork(deps, owner, given)) || (due === 'captcha' && (await consumeCaptcha(deps, owner, given)));
  deps.metrics.captcha(passed ? 'passed' : 'failed');
  return passed;
}

/** Refuses with `wrongCaptcha`; `way` names the kind if only one is accepted. */
export function refuseWrongCaptcha(refuse: Refuse<'wrongCaptcha'>, due: CaptchaRequirement): never {
  return refuse('wrongCaptcha', due === 'work' ? { way: 'work' } : undefined);
}

/**
 * Whether the answer to a captcha of this brand and account is right and in time. The same statement deletes the
 * captcha, so each can be answered once, right or wrong, also by concurrent calls. Call it outside a transaction: a
 * rollback would return the captcha to an attacker.
 */
export async function consumeCaptcha(
  { db, clock, env }: TicketDeps,
  owner: CaptchaOwner,
  given: CaptchaInput,
): Promise<boolean> {
  const { captchaId = '', captcha = '' } = given;
  // invalid IDs are refused without a query; PostgreSQL would fail on a NUL in one
  if (!/^[\w-]{16,64}$/.test(captchaId) || captcha === '') return false;
  const [row] = await db
    .delete(captchas)
    .where(and(eq(captchas.id, captchaId), eq(captchas.brand, owner.brand)))
    .returning();
  if (!row || row.expiresAt <= clock()) return false;
  const expected = Buffer.from(row.answerHash, 'hex');
  const actual = Buffer.from(answerHash(env.SIGNING_SECRET, { captchaId, account: owner.account, captcha }), 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Stores a captcha of an account with its answer. Returns its ID and its expiry in epoch milliseconds. */
export async function storeCaptcha(
  { db, clock, env, random }: TicketDeps & Pick<Deps, 'random'>,
  { brand, account }: Pick<CaptchaOwner, 'brand' | 'account'>,
  answer: string,
): Promise<{ captchaId: string; expiresAt: number }> {
  const captchaId = random.token(18);
  const expiresAt = clock() + captchaLifetimeMs;
  const hash = answerHash(env.SIGNING_SECRET, { captchaId, account, captcha: answer });
  await db.insert(captchas).values({ id: captchaId, brand, answerHash: hash, expiresAt });
  return { captchaId, expiresAt };
}

/** Ignores case and spaces. */
function answerHash(secret: string, of: { captchaId: string; account: string; captcha: string }): string {
  const letters = normalizeToken(of.captcha).toUpperCase();
  return createHmac('sha256', secret)
    .update(JSON.stringify(['captcha', of.captchaId, of.account, letters]))
    .digest('hex');
}
