import { typedEmail } from '#contract/email-address.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import type { SessionUser } from '#server/runtime/request/request-context.ts';

/** How long somebody has for an answer, and how long an answer is good for, in milliseconds. */
export const captchaLifetimeMs = 5 * 60 * 1000;

export interface GivenCaptcha {
  readonly captchaId?: string | undefined;
  readonly captcha?: string | undefined;
}

/** Whom a captcha is for, and from where it was asked for. */
export interface CaptchaOwner {
  /** code of the brand */
  readonly brand: string;
  /** as `identityOf` gives it, whether there is such an account or not */
  readonly account: string;
  readonly ip: string;
}

/** Whom the captcha of a payment is for: the account as `identityOf` would give it. */
export function payerOfCaptcha(
  { brand, account, accountType }: Pick<SessionUser, 'brand' | 'account' | 'accountType'>,
  ip: string,
): CaptchaOwner {
  const written = accountType === 'email' ? typedEmail(account) : (canonicalNumber(`+${account}`)?.digits ?? account);
  return { brand, account: written, ip };
}
