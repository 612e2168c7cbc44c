import { useState } from 'react';
import type { CaptchaAnswer, CaptchaFor } from '#web/domain/auth/captcha/given.ts';
import { useCaptcha } from '#web/domain/auth/captcha/use-captcha.ts';
import { useSecondsLeft } from '#web/domain/auth/codes/wait-words.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';

type Ask = (answer: CaptchaAnswer) => Promise<{ waitSeconds: number; request: string }>;

interface SentCode {
  /** goes with the code */
  readonly request: string;
  /** when another can be asked for, by the server's clock; epoch milliseconds */
  readonly until: number;
}

/** A code that a session asks for. Any refusal but that of a captcha is thrown to whoever shows it. */
export function useSentCode() {
  const captcha = useCaptcha();
  const [sent, setSent] = useState<SentCode>();
  const seconds = useSecondsLeft(sent);
  /** True once it is on its way; false where the captcha says what is due first. */
  const send = async (of: CaptchaFor, ask: Ask): Promise<boolean> => {
    if (captcha.missing(of)) return false;
    try {
      const { waitSeconds, request } = await ask(await captcha.answer());
      setSent({ request, until: serverNow() + waitSeconds * 1000 });
      return true;
    } catch (error) {
      if (!isRefused(error, 'wrongCaptcha')) throw error;
      captcha.ask(of, error);
      return false;
    }
  };
  return { captcha, sent, seconds, send };
}
