import * as contract from '../../contract/auth.ts';
import * as codes from '../../contract/codes.ts';
import * as registration from '../../contract/signup.ts';
import { bind } from '../mount.ts';
import { codeLogin } from './code-login.ts';
import { countdownConfig } from './countdown-config.ts';
import { loginOut } from './log-out.ts';
import { login } from './login.ts';
import { hashing } from './password.ts';
import { resetPasswd } from './reset-passwd.ts';
import { sendVerificationCode } from './send-verification-code.ts';
import { signup } from './signup.ts';
import { supportPhone } from './support-phone.ts';

/** The calls about who is signed in. */
export const authHandlers = {
  login: bind(contract.login, hashing(login)),
  codeLogin: bind(codes.codeLogin, codeLogin),
  signup: bind(registration.signup, hashing(signup)),
  sendVerificationCode: bind(codes.sendVerificationCode, sendVerificationCode),
  resetPasswd: bind(codes.resetPasswd, hashing(resetPasswd)),
  supportPhone: bind(contract.supportPhone, supportPhone, { cached: true }),
  loginOut: bind(contract.loginOut, loginOut),
  countdownConfig: bind(contract.countdownConfig, countdownConfig),
};
