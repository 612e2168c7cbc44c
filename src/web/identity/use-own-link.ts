import { sendResetPasswordEmail } from '../../contract/email.ts';
import { call } from '../api/client.ts';
import { useMailRequest, type AskForMail } from './use-mail-request.ts';
import { useResend } from './use-resend.ts';

const ask: AskForMail = ({ email }, owns) => call(sendResetPasswordEmail, { query: { email } }, { owns });

/** The reset link for the customer who is signed in, to the address of the account: one tap. */
export function useOwnLink(email: string) {
  const request = useMailRequest(ask, sendResetPasswordEmail.errors);
  return { ...useResend(request, email), request };
}
