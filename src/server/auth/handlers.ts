import * as contract from '../../contract/auth.ts';
import { bind } from '../mount.ts';
import { codeLogin } from './code-login.ts';
import { countdownConfig } from './countdown-config.ts';
import { loginOut } from './log-out.ts';
import { login } from './login.ts';
import { resetPasswd } from './reset-passwd.ts';
import { sendVerificationCode } from './send-verification-code.ts';
import { signup } from './signup.ts';
import { supportPhone } from './support-phone.ts';

/** The calls about who is signed in. */
export const authHandlers = {
  login: bind(contract.login, login),
  codeLogin: bind(contract.codeLogin, codeLogin),
  signup: bind(contract.signup, signup),
  sendVerificationCode: bind(contract.sendVerificationCode, sendVerificationCode),
  resetPasswd: bind(contract.resetPasswd, resetPasswd),
  supportPhone: bind(contract.supportPhone, supportPhone, { cached: true }),
  loginOut: bind(contract.loginOut, loginOut),
  countdownConfig: bind(contract.countdownConfig, countdownConfig),
};
