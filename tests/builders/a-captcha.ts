import { storeCaptcha } from '#server/auth/captcha/ticket.ts';
import { type SolvedCaptcha, numberFor } from '#tests/fixtures/solve-captcha.ts';
import { createProofOfWork } from '#server/auth/captcha/proof-of-work.ts';
import type { TestApp } from './test-app.ts';

interface Owner {
  readonly account: string;
  readonly brand?: string;
}

/** A captcha ticket for an account, as the script captcha issues it. */
export async function aTicket(
  { deps }: Pick<TestApp, 'deps'>,
  { account, brand = 'lumen' }: Owner,
): Promise<SolvedCaptcha> {
  const { captchaId } = await storeCaptcha(deps, { brand, account }, 'K7XQ');
  return { captchaId, captcha: 'K7XQ' };
}

/** A solved small proof of work for an account and an IP address. */
export function someWork(
  { deps }: Pick<TestApp, 'deps'>,
  { account, brand = 'lumen', ip = '127.0.0.1' }: Owner & { readonly ip?: string },
): SolvedCaptcha {
  const work = createProofOfWork(deps, { brand, account, ip }, 50);
  return { captchaId: work.captchaId, captcha: numberFor(work) };
}
