/** Every call of the storefront's API, by name. */
export { changePassword, endOtherSignIns, endSignIn, queryInfo, queryUrv } from './account.ts';
export { report } from './analytics.ts';
export { endBox, listBoxes } from './tv-devices.ts';
export { confirmOwner, sendConfirmCode } from './confirm-owner.ts';
export { login, supportPhone } from './auth.ts';
export { countdownConfig, loginOut } from './session.ts';
export { codeLogin, resetPasswd, sendVerificationCode } from './codes.ts';
export { checkSignupCode, signup } from './signup.ts';
export { goodsValuation, installmentsPlan, pay, paymentMethods, repay } from './billing.ts';
export { createRandCode, siteKey, siteVerify } from './captcha.ts';
export { deleteCard, listCard, openCardPage, takeCard } from './cards.ts';
export { addCoupon, listCoupons } from './coupons.ts';
export {
  activeUser,
  bindEmailConfirmed,
  emailResetPassword,
  obtainResetPasswordEmail,
  resendConfirmation,
  resetPasswordByEmail,
  sendResetPasswordEmail,
} from './email.ts';

export { closeHandover, handoverProgress, openHandover, takeHandover } from './handover.ts';
export {
  order,
  orderRemind,
  cancelOrder,
  orders,
  paymentInfo,
  paymentTip,
  queryCart,
  queryToken,
  service,
  unbindDiscountCode,
  withdrawOrder,
} from './orders.ts';
export {
  liQuiDoConfirm,
  orderUpload,
  paymentCrypto,
  payssionConfirm,
  payssionCreate,
  paypalCapture,
  uploadObject,
  stripeConfirm,
  stripeCreate,
  useepayConfirm,
  useepayCreate,
} from './payment-steps.ts';
export { forgetPayer, ownPayer } from './payer.ts';
export { deletionState, exportData, exportReceipts, keepAccount, requestDeletion } from './my-data.ts';
export {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listPasskeys,
  passkeyLogin,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
export { endPush, listPush, renewPush, subscribePush } from './push.ts';
export { mailReceipt, receiptFile, receiptParties, receipts } from './receipts.ts';
export { changeCard, renewalByLink, renewInfo, stopRenewalByLink, updateRenewStatus } from './renewal.ts';
export {
  campaignSubscription,
  changeContact,
  offersByLink,
  ownSettings,
  removePhone,
  restoreContact,
  saveLanguage,
  saveNickname,
  sendContactCode,
} from './settings.ts';
export { deviceConfirm, deviceQuery, googleClient, googleLogin, googleSignup, sso } from './sign-on.ts';
export {
  areaCodes,
  cloud,
  contactUs,
  functionConfig,
  getCountryCode,
  i18nMessage,
  i18nVersion,
  langAddress,
  siteConfig,
  theme,
} from './site.ts';
export { banner, dynamicConfig } from './documents.ts';
export { checkPlanAvailable, currencyList, listPlans, planConvert, planDetail, planMethodDiscount } from './plan.ts';
