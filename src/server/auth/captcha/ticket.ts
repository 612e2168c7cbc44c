import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { typedToken } from '#contract/typed-text.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { captchas } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { captchaLifetimeMs, type CaptchaOwner, type GivenCaptcha } from './captcha-owner.ts';
import { passWork } from './proof-of-work.ts';

type Room = Pick<Deps, 'db' | 'clock' | 'env'>;

/** What a call takes: nothing, a ticket of any way, or one of work ([Note: Captcha] in the contract). */
export type Proof = 'none' | 'captcha' | 'work';

/**
 * Whether what was given is enough. A ticket is looked at only where one is due, and one of another way than the one that
 * is due is left as it is.
 */
export async function proves(deps: Room, owner: CaptchaOwner, given: GivenCaptcha, due: Proof): Promise<boolean> {
  if (due === 'none') return true;
  if (await passWork(deps, owner, given)) return true;
  return due === 'captcha' && passCaptcha(deps, owner, given);
}

/** Asks for a ticket: `wrongCaptcha`, and `way` where only one will do. */
export function refuseUnproven(refuse: Refuse<'wrongCaptcha'>, due: Proof): never {
  return refuse('wrongCaptcha', due === 'work' ? { way: 'work' } : undefined);
}

/**
 * Whether the answer to a captcha of this brand and account is right and in time ([Note: Captcha] in the contract).
 * Looking takes the captcha away in the same statement, so each is answered once, right or wrong, by however many at the
 * same moment. Call it outside of a transaction: one that is rolled back would give the captcha back to a guesser.
 */
export async function passCaptcha(
  { db, clock, env }: Room,
  owner: CaptchaOwner,
  given: GivenCaptcha,
): Promise<boolean> {
  const { captchaId = '', captcha = '' } = given;
  // what no captcha can be called is not asked for; PostgreSQL would not even take a NUL in it
  if (!/^[\w-]{16,64}$/.test(captchaId) || captcha === '') return false;
  const [row] = await db
    .delete(captchas)
    .where(and(eq(captchas.id, captchaId), eq(captchas.brand, owner.brand)))
    .returning();
  if (!row || row.expiresAt <= clock()) return false;
  const expected = Buffer.from(row.answerHash, 'hex');
  const found = Buffer.from(answerHash(env.SIGNING_SECRET, { captchaId, account: owner.account, captcha }), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Keeps a captcha of an account whose answer is this. Answers its id and until when it is good, in epoch milliseconds. */
export async function storeCaptcha(
  { db, clock, env, random }: Room & Pick<Deps, 'random'>,
  { brand, account }: Pick<CaptchaOwner, 'brand' | 'account'>,
  answer: string,
): Promise<{ captchaId: string; expiresAt: number }> {
  const captchaId = random.token(18);
  const expiresAt = clock() + captchaLifetimeMs;
  const hash = answerHash(env.SIGNING_SECRET, { captchaId, account, captcha: answer });
  await db.insert(captchas).values({ id: captchaId, brand, answerHash: hash, expiresAt });
  return { captchaId, expiresAt };
}

/** Letters count in either case, and spaces between them not at all. */
function answerHash(secret: string, of: { captchaId: string; account: string; captcha: string }): string {
  const letters = typedToken(of.captcha).toUpperCase();
  return createHmac('sha256', secret)
    .update(JSON.stringify(['captcha', of.captchaId, of.account, letters]))
    .digest('hex');
}
