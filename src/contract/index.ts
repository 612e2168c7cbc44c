/** Every call of the storefront's API, by name. */
export { changePassword, queryInfo, queryUrv } from './account.ts';
export { endBox, listBoxes } from './boxes.ts';
export { countdownConfig, login, loginOut, supportPhone } from './auth.ts';
export { codeLogin, resetPasswd, sendVerificationCode } from './codes.ts';
export { signup } from './signup.ts';
export { currencyList, goodsValuation, installmentsPlan, pay, paymentMethods, repay } from './billing.ts';
export { createRandCode, siteKey, siteVerify } from './captcha.ts';
export { deleteCard, listCard } from './cards.ts';
export {
  activeUser,
  bindEmailConfirmed,
  emailResetPassword,
  obtainResetPasswordEmail,
  resendConfirmation,
  resetPasswordByEmail,
  sendResetPasswordEmail,
} from './email.ts';
export {
  order,
  orderRemind,
  orders,
  paymentInfo,
  paymentTip,
  queryCart,
  queryToken,
  service,
  unbindDiscountCode,
} from './orders.ts';
export {
  liQuiDoConfirm,
  orderUpload,
  paymentCrypto,
  payssionConfirm,
  payssionCreate,
  paypalCapture,
  uploadObject,
  useepayConfirm,
  useepayCreate,
} from './payment-steps.ts';
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
