import { useState } from 'react';
import { type ErrorName } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import { defaultCountdownSeconds } from '#contract/limits.ts';
import { storedDeviceToken } from './enter.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useCaptcha, type Captcha } from './captcha/use-captcha.ts';
import type { CaptchaAnswer } from './captcha/given.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import type { HandledError } from '#web/platform/api/decide.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { waitWords } from './codes/wait-words.ts';
import { sendResetPasswordEmail } from '#contract/email.ts';
import { call } from '#web/platform/api/client.ts';
import { useResend } from './use-resend.ts';

const ask: RequestMail = ({ email }, handledErrors) =>
  call(sendResetPasswordEmail, { query: { email } }, { handledErrors });

/** The reset link for the customer who is signed in, to the address of the account: one tap. */
export function useOwnLink(email: string) {
  const request = useMailRequest(ask, sendResetPasswordEmail.errors);
  return { ...useResend(request, email), request };
}

export interface MailBody extends CaptchaAnswer {
  readonly email: string;
  readonly language: Language;
  readonly device: string | undefined;
}

/** Asks the server for the mail; says how many seconds to wait before the next. */
export type RequestMail = (body: MailBody, owned: readonly HandledError[]) => Promise<{ waitSeconds: number }>;

export interface MailRequest {
  /** which address the mail was asked for, how often, and until when to wait for another: epoch ms of the server */
  readonly sent: { readonly email: string; readonly until: number; readonly times: number } | undefined;
  /** answers undefined when the mail is on its way, and an empty refusal where the captcha's view says what is due */
  readonly send: (email: string) => Promise<Refusal<{ account: string }> | undefined>;
  readonly captcha: Captcha;
  /** back to the form */
  readonly forget: () => void;
}

const fields = { email: 'account', account: 'account' } as const;

/**
 * Asks for a mail with a link, as the server answers the same for every address. Nobody has to know here whether one
 * was sent, only when the next can be asked for.
 */
export function useMailRequest(ask: RequestMail, errors: readonly ErrorName[]): MailRequest {
  const language = useLanguage();
  const captcha = useCaptcha();
  const [sent, setSent] = useState<MailRequest['sent']>();
  const owned = ownedBy(errors);
  const send: MailRequest['send'] = async (email) => {
    const of = { account: email, type: 'email' } as const;
    if (captcha.missing(of)) return {};
    try {
      const { waitSeconds } = await ask(
        { email, language, device: storedDeviceToken(), ...(await captcha.answer()) },
        owned,
      );
      setSent((old) => ({ email, until: untilIn(waitSeconds), times: (old?.times ?? 0) + 1 }));
      return undefined;
    } catch (error) {
      const wait = justAsked(error);
      if (wait !== undefined) {
        setSent((old) => ({ email, until: untilIn(wait), times: old?.times ?? 1 }));
        return undefined;
      }
      if (!isRefused(error, 'wrongCaptcha')) {
        return refusalOf<{ account: string }>(error, { fields, owned, words: waitWords });
      }
      captcha.ask(of, error);
      return {};
    }
  };
  return { sent, send, captcha, forget: () => setSent(undefined) };
}

const untilIn = (seconds: number) => serverNow() + seconds * 1000;

/** Seconds to wait, where such a mail was asked for less than a minute ago, before a reload perhaps: it is on its way. */
function justAsked(error: unknown): number | undefined {
  if (!isRefused(error, 'tooFrequent')) return undefined;
  const { waitSeconds } = error.params;
  return waitSeconds !== undefined && waitSeconds <= defaultCountdownSeconds ? waitSeconds : undefined;
}
