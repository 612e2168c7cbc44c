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
