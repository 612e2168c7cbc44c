import { useState } from 'react';
import { sendResetPasswordEmail } from '#contract/email.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useAction } from '#web/platform/form/use-action.ts';
import type { Elements } from '#web/ui/elements.ts';
import { waitWords } from './codes/wait-words.ts';
import { useSentMail, type MailRequest } from './use-mail-request.ts';

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
    message: waitWords,
  });
  const send: MailRequest['send'] = async (address) => {
    const { error, refusal } = await link.send({ query: { email: address } });
    return error && noteEarlier(address, error) ? undefined : refusal;
  };
  const request: MailRequest = { sent, send, captcha: { view: null }, forget };
  return { ...useResend(request, email), request };
}
