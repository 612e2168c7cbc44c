import * as contract from '#contract/auth.ts';
import * as sessionContract from '#contract/session.ts';
import * as confirming from '#contract/confirm-owner.ts';
import * as codes from '#contract/codes.ts';
import * as registration from '#contract/signup.ts';
import { bind, type Handler } from '#server/runtime/request/request-context.ts';
import { confirmOwner, sendConfirmCode } from './confirm-owner.ts';
import { comparePassword, withHashingLimit, hashPassword, isPasswordUnchanged, replaceHash } from './password.ts';
import { resetPasswd } from './set-password.ts';
import { checkSignupCode, signup, supportedLanguage } from './signup.ts';
import { assertReachable, identityOf, areaCodesIn } from '#server/site/account-rules.ts';
import { findUser, assertLoginAllowed } from './users.ts';
import { countLoginAttempt, limitSubjectOf } from './login-limits.ts';
import { signIn, codeLogin } from './sign-in.ts';
import { closeSession } from './session.ts';
import { defaultCountdownSeconds } from '#contract/limits.ts';
import { assertCanBeSent, requestCode } from './codes.ts';
import * as passkeys from '#contract/passkeys.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys/own-passkeys.ts';
import { beginPasskeyLogin, passkeyLogin } from './passkeys/passkey-login.ts';
import * as signOn from '#contract/sign-on.ts';
import { deviceConfirm, deviceQuery } from './sign-on/device-calls.ts';
import { googleClient, googleLogin, googleSignup } from './sign-on/google-login.ts';
import { sso } from './sign-on/sso.ts';

const login: Handler<typeof contract.login> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const identity = identityOf(context.refuse, brand, body, true);
  const guess = { brand: brand.code, account: identity.account, ip };
  const user = await findUser(deps.db, brand.code, identity);
  const { known } = limitSubjectOf(deps.env, user, { ...guess, device: body.device });
  const clearCounts = await countLoginAttempt(context.refuse, deps, guess, { ...body, known });
  const fits = await comparePassword(user?.passwordHash, body.password, ip);
  if (fits === 'no' || !user?.passwordHash) return context.refuse('invalidCredentials');
  const { passwordHash } = user;
  assertLoginAllowed(context.refuse, user);
  await clearCounts();
  const renewed = fits === 'outdated' ? await hashPassword(body.password, ip) : undefined;
  return deps.db.transaction(async (tx) => {
    if (!(await isPasswordUnchanged(tx, user, passwordHash))) return context.refuse('invalidCredentials');
    if (renewed !== undefined) await replaceHash(tx, user, renewed);
    return signIn(tx, user, context, { via: 'password', device: body.device });
  });
};

const loginOut: Handler<typeof sessionContract.loginOut> = async (_, { deps, brand, tokenHash }) => {
  if (tokenHash !== null) await closeSession(deps.db, brand.code, tokenHash);
  return {};
};

const countdownConfig: Handler<typeof sessionContract.countdownConfig> = (_, { brand, deps }) => ({
  brand: brand.name,
  brandId: brand.code,
  vnoId: brand.code,
  tenantId: brand.tenantId,
  env: deps.env.NODE_ENV,
  caffeineRegionVerify: defaultCountdownSeconds,
});

const sendVerificationCode: Handler<typeof codes.sendVerificationCode> = ({ body }, { deps, brand, ip, refuse }) => {
  const { scene, captchaId, captcha, device } = body;
  if (scene === 'login' && !brand.config.login.codeLogin) return refuse('operationUnsupported');
  assertCanBeSent(refuse, deps, body.type);
  const identity = identityOf(refuse, brand, body);
  if (scene === 'signup') assertReachable(refuse, identity);
  const language = supportedLanguage(brand, body.language);
  return requestCode(refuse, deps, { brand: brand.code, identity, scene, language, ip, captchaId, captcha, device });
};

/** A brand with a rule for phone numbers accepts phone numbers. */
const supportPhone: Handler<typeof contract.supportPhone> = (_, { brand, language, deps }) => ({
  supported: brand.config.validRules.phone !== undefined,
  sms: deps.sms !== null,
  areaCodes: [...new Set(areaCodesIn(language).map(({ areaCode }) => areaCode))],
});

/** The endpoints of login, sign-up and codes. */
export const authHandlers = {
  login: bind(contract.login, withHashingLimit(login)),
  codeLogin: bind(codes.codeLogin, codeLogin),
  checkSignupCode: bind(registration.checkSignupCode, checkSignupCode),
  signup: bind(registration.signup, withHashingLimit(signup)),
  sendVerificationCode: bind(codes.sendVerificationCode, sendVerificationCode),
  resetPasswd: bind(codes.resetPasswd, withHashingLimit(resetPasswd)),
  confirmOwner: bind(confirming.confirmOwner, withHashingLimit(confirmOwner)),
  sendConfirmCode: bind(confirming.sendConfirmCode, sendConfirmCode),
  supportPhone: bind(contract.supportPhone, supportPhone, { cached: true }),
  loginOut: bind(sessionContract.loginOut, loginOut),
  countdownConfig: bind(sessionContract.countdownConfig, countdownConfig),
};

/** The passkey endpoints. */
export const passkeyHandlers = {
  listPasskeys: bind(passkeys.listPasskeys, listPasskeys),
  beginPasskey: bind(passkeys.beginPasskey, beginPasskey),
  addPasskey: bind(passkeys.addPasskey, addPasskey),
  renamePasskey: bind(passkeys.renamePasskey, renamePasskey),
  removePasskey: bind(passkeys.removePasskey, removePasskey),
  beginPasskeyLogin: bind(passkeys.beginPasskeyLogin, beginPasskeyLogin),
  passkeyLogin: bind(passkeys.passkeyLogin, passkeyLogin),
};

/** The endpoints of single sign-on, Google and TV devices. */
export const signOnHandlers = {
  sso: bind(signOn.sso, sso),
  googleClient: bind(signOn.googleClient, googleClient),
  googleLogin: bind(signOn.googleLogin, googleLogin),
  googleSignup: bind(signOn.googleSignup, googleSignup),
  deviceQuery: bind(signOn.deviceQuery, deviceQuery),
  deviceConfirm: bind(signOn.deviceConfirm, deviceConfirm),
};
