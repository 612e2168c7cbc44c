import * as contract from '#contract/email.ts';
import { withHashingLimit } from '#server/auth/password.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { activeUser, emailResetPassword, obtainResetPasswordEmail } from './active-user.ts';
import { resendConfirmation, resetPasswordByEmail, sendResetPasswordEmail } from './request-mail.ts';
import { bindEmailConfirmed } from './bind-email.ts';

/** The endpoints of links in emails. */
export const emailHandlers = {
  resetPasswordByEmail: bind(contract.resetPasswordByEmail, resetPasswordByEmail),
  resendConfirmation: bind(contract.resendConfirmation, resendConfirmation),
  obtainResetPasswordEmail: bind(contract.obtainResetPasswordEmail, obtainResetPasswordEmail),
  emailResetPassword: bind(contract.emailResetPassword, withHashingLimit(emailResetPassword)),
  activeUser: bind(contract.activeUser, activeUser),
  bindEmailConfirmed: bind(contract.bindEmailConfirmed, bindEmailConfirmed),
  sendResetPasswordEmail: bind(contract.sendResetPasswordEmail, sendResetPasswordEmail),
};
