/** Every call of the storefront's API, by name. */
export { changePassword, queryInfo, queryUrv } from './account.ts';
export { countdownConfig, login, loginOut, supportPhone } from './auth.ts';
export { codeLogin, resetPasswd, sendVerificationCode } from './codes.ts';
export { signup } from './signup.ts';
export {
  currencyList,
  goodsValuation,
  installmentsPlan,
  order,
  orders,
  pay,
  paymentInfo,
  paymentMethods,
  paymentTip,
  queryToken,
  repay,
  service,
} from './billing.ts';
export { createRandCode, siteKey, siteVerify } from './captcha.ts';
export {
  activeUser,
  bindEmailConfirmed,
  emailResetPassword,
  obtainResetPasswordEmail,
  resendConfirmation,
  resetPasswordByEmail,
  sendResetPasswordEmail,
} from './email.ts';
export { deviceConfirm, deviceQuery, googleClient, googleLogin, googleSignup, sso } from './sign-on.ts';
export {
  areaCodes,
  banner,
  checkPlanAvailable,
  contactUs,
  dynamicConfig,
  functionConfig,
  getCountryCode,
  i18nMessage,
  i18nVersion,
  langAddress,
  listPlans,
  planConvert,
  planDetail,
  planMethodDiscount,
  report,
  siteConfig,
  theme,
} from './site.ts';
