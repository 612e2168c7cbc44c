import { normalizeEmail } from '#contract/email-address.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import type { SessionUser } from '#server/runtime/request/request-context.ts';

/** How long a captcha can be answered, and how long an answer is valid, in milliseconds. */
export const captchaLifetimeMs = 5 * 60 * 1000;

export interface CaptchaInput {
  readonly captchaId?: string | undefined;
  readonly captcha?: string | undefined;
}

/** The account that a captcha belongs to, and the address of the request. */
export interface CaptchaOwner {
  /** code of the brand */
  readonly brand: string;
  /** as `identityOf` returns it, whether the account exists or not */
  readonly account: string;
  readonly ip: string;
}

/** The owner of a payment's captcha, with the account as `identityOf` would return it. */
export function paymentCaptchaOwner(
  { brand, account, accountType }: Pick<SessionUser, 'brand' | 'account' | 'accountType'>,
  ip: string,
): CaptchaOwner {
  const written =
    accountType === 'email' ? normalizeEmail(account) : (canonicalNumber(`+${account}`)?.digits ?? account);
  return { brand, account: written, ip };
}
