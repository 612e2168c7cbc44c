import type { AccountType } from '#contract/user.ts';

/** What a call carries once to show that a person, or a person's device, is behind it. */
export interface CaptchaAnswer {
  readonly captchaId?: string;
  readonly captcha?: string;
}

/** Whom an answer is for: it is nothing at another account. */
export interface CaptchaFor {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode?: string;
}

/** An answer; `working` while one is being made without anybody's doing; null while there is none. */
export type Given = Required<CaptchaAnswer> | 'working' | null;

/** What is wrong: `missing` when there was no answer, `refused` when the server did not take it (`wrongCaptcha`). */
export type CaptchaProblem = 'missing' | 'refused' | undefined;

export interface CaptchaBoxProps {
  readonly of: CaptchaFor;
  /** only work of the device will do */
  readonly workOnly: boolean;
  /** grows with every answer that was used up: the next captcha is another one */
  readonly spent: number;
  /** grows whenever the customer is asked: what is to be done next then gets the focus */
  readonly asked: number;
  readonly problem: CaptchaProblem;
  readonly onGive: (given: Given) => void;
}
