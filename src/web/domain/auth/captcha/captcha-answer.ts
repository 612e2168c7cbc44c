import type { AccountType } from '#contract/user.ts';

/** Sent once with a call to prove that a person, or the work of a device, is behind it. */
export interface CaptchaAnswer {
  readonly captchaId?: string;
  readonly captcha?: string;
}

/** The account that an answer is valid for; it is invalid for any other. */
export interface CaptchaAccount {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode?: string;
}

/** An answer; `working` while the device computes one; null without an answer. */
export type CaptchaState = Required<CaptchaAnswer> | 'working' | null;

/** `missing`: there was no answer; `refused`: the server did not accept it (`wrongCaptcha`). */
export type CaptchaProblem = 'missing' | 'refused' | undefined;

export interface CaptchaBoxProps {
  readonly account: CaptchaAccount;
  /** only proof of work is accepted */
  readonly workOnly: boolean;
  /** incremented for each consumed answer, so that the next captcha is a new one */
  readonly consumedCount: number;
  /** incremented for each request to the customer; the required control then gets the focus */
  readonly asked: number;
  readonly problem: CaptchaProblem;
  readonly onAnswer: (given: CaptchaState) => void;
}
