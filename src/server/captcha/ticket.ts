import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { captchas } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

type Room = Pick<Deps, 'db' | 'clock' | 'env'>;

/** How long somebody has for an answer, and how long an answer is good for, in milliseconds. */
export const captchaLifetimeMs = 5 * 60 * 1000;

export interface GivenCaptcha {
  readonly captchaId?: string | undefined;
  readonly captcha?: string | undefined;
}

/**
 * Whether the answer to a captcha of this brand is right and in time ([Note: Captcha] in the contract). Looking takes
 * the captcha away in the same statement, so each is answered once, right or wrong, by however many at the same moment.
 * Call it outside of a transaction: one that is rolled back would give the captcha back to a guesser.
 */
export async function passCaptcha({ db, clock, env }: Room, brandCode: string, given: GivenCaptcha): Promise<boolean> {
  const { captchaId = '', captcha = '' } = given;
  // what no captcha can be called is not asked for; PostgreSQL would not even take a NUL in it
  if (!/^[\w-]{16,64}$/.test(captchaId) || captcha === '') return false;
  const [row] = await db
    .delete(captchas)
    .where(and(eq(captchas.id, captchaId), eq(captchas.brand, brandCode)))
    .returning();
  if (!row || row.expiresAt <= clock()) return false;
  const expected = Buffer.from(row.answerHash, 'hex');
  const found = Buffer.from(answerHash(env.SIGNING_SECRET, captchaId, captcha), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Keeps a captcha whose answer is this. Answers its id and until when it is good, in epoch milliseconds. */
export async function keepCaptcha(
  { db, clock, env, random }: Room & Pick<Deps, 'random'>,
  brandCode: string,
  answer: string,
): Promise<{ captchaId: string; expiresAt: number }> {
  const captchaId = random.token(18);
  const expiresAt = clock() + captchaLifetimeMs;
  const hash = answerHash(env.SIGNING_SECRET, captchaId, answer);
  await db.insert(captchas).values({ id: captchaId, brand: brandCode, answerHash: hash, expiresAt });
  return { captchaId, expiresAt };
}

/** Letters count in either case, and spaces between them not at all. */
function answerHash(secret: string, captchaId: string, answer: string): string {
  const letters = answer.replaceAll(/\s/g, '').toUpperCase();
  return createHmac('sha256', secret).update(`captcha ${captchaId} ${letters}`).digest('hex');
}
