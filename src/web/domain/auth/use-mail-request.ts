import { useState } from 'react';
import { sendResetPasswordEmail, type resendConfirmation, type resetPasswordByEmail } from '#contract/email.ts';
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';
import type { Elements } from '#web/ui/elements.ts';
import { waitMessage } from './codes/use-code.ts';
import { defaultCountdownSeconds } from '#contract/limits.ts';
import { storedDeviceToken } from './complete-sign-in.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useCaptcha, type Captcha } from './captcha/use-captcha.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';

/**
 * Requests the email by one tap, without a form. `captcha` is visible only while a tap waits for it, so that it does
 * not take the focus from the confirmation message.
 */
export function useResend({ send, captcha }: MailRequest, email: string) {
  const [isDue, setDue] = useState(false);
  const resend = useAction(async () => {
    const refusal = await send(email);
    setDue(refusal !== undefined && refusal.summary === undefined);
    return { refusal };
  });
  const view: Elements = isDue ? captcha.view : null;
  return { ...resend, captcha: view };
}

/** Sends the reset link to the address of the customer who is logged in, by one tap. */
export function useOwnLink(email: string) {
  const { sent, noteSent, noteEarlier, forget } = useSentMail();
  const link = useApiMutation(sendResetPasswordEmail, {
    onSuccess: (result) => noteSent(email, result),
    message: waitMessage,
  });
  const send: MailRequest['send'] = async (address) => {
    const { error, refusal } = await link.send({ query: { email: address } });
    return error && noteEarlier(address, error) ? undefined : refusal;
  };
  const request: MailRequest = { sent, send, captcha: { view: null }, forget };
  return { ...useResend(request, email), request };
}

export interface MailRequest {
  /** the address, the number of requests, and the earliest time of the next one: epoch ms of the server */
  readonly sent: { readonly email: string; readonly until: number; readonly times: number } | undefined;
  /** resolves to undefined when the email is sent, and to an empty refusal if the captcha's view shows what is due */
  readonly send: (email: string) => Promise<Refusal<never> | undefined>;
  /** to be rendered above the button; null if none is due */
  readonly captcha: Pick<Captcha, 'view'>;
  /** returns to the form */
  readonly forget: () => void;
}

/** The email that was requested last. */
function useSentMail() {
  const [sent, setSent] = useState<MailRequest['sent']>();
  return {
    sent,
    noteSent: (email: string, { waitSeconds }: { waitSeconds: number }) =>
      setSent((old) => ({ email, until: untilIn(waitSeconds), times: (old?.times ?? 0) + 1 })),
    /** records that such an email was sent earlier, if the error says so; returns whether it does */
    noteEarlier: (email: string, error: CallError): boolean => {
      const wait = earlierWait(error);
      if (wait === undefined) return false;
      setSent((old) => ({ email, until: untilIn(wait), times: old?.times ?? 1 }));
      return true;
    },
    forget: () => setSent(undefined),
  };
}

/** The calls that email a link. The server's response is the same for every address. */
type MailEndpoint = typeof resetPasswordByEmail | typeof resendConfirmation;

/**
 * Requests an email with a link for a typed address. Whether the address has an account stays unknown; only the time of
 * the next request is known.
 */
export function useMailRequest(endpoint: MailEndpoint): MailRequest {
  const language = useLanguage();
  const captcha = useCaptcha();
  const { sent, noteSent, noteEarlier, forget } = useSentMail();
  const request = useApiMutation(endpoint, {
    onSuccess: (result, { body }) => noteSent(body.email, result),
    errors: { wrongCaptcha: (error, _message, { body }) => captcha.ask(emailOf(body.email), error) },
    message: waitMessage,
  });
  const send: MailRequest['send'] = async (email) => {
    if (captcha.missing(emailOf(email))) return {};
    const body = { email, language, device: storedDeviceToken(), ...(await captcha.answer()) };
    const { error, refusal } = await request.send({ body });
    return error && noteEarlier(email, error) ? undefined : refusal;
  };
  return { sent, send, captcha, forget };
}

const emailOf = (account: string) => ({ account, type: 'email' }) as const;

const untilIn = (seconds: number) => serverNow() + seconds * 1000;

/** Seconds to wait if such an email was requested less than a minute ago, perhaps before a reload. */
function earlierWait(error: CallError): number | undefined {
  const { waitSeconds } = error.params;
  if (!error.is('tooFrequent') || waitSeconds === undefined) return undefined;
  return waitSeconds <= defaultCountdownSeconds ? waitSeconds : undefined;
}
