import * as contract from '#contract/sign-on.ts';
import { bind } from '#server/runtime/request/request-context.ts';
import { deviceConfirm, deviceQuery } from './device-calls.ts';
import { googleClient, googleLogin, googleSignup } from './google-login.ts';
import { sso } from './sso.ts';

/** The endpoints of single sign-on, Google and TV devices. */
export const signOnHandlers = {
  sso: bind(contract.sso, sso),
  googleClient: bind(contract.googleClient, googleClient),
  googleLogin: bind(contract.googleLogin, googleLogin),
  googleSignup: bind(contract.googleSignup, googleSignup),
  deviceQuery: bind(contract.deviceQuery, deviceQuery),
  deviceConfirm: bind(contract.deviceConfirm, deviceConfirm),
};
