import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';
import type { ErrorName } from '#contract/error-codes.ts';

/**
 * The English message of every error, for two purposes only: `lingui extract` finds them here, and an error without a
 * message does not compile. No module may import this at run time, so that it adds no bytes: the storefront looks
 * messages up in the active catalogue by the id `errCode.<code>`.
 *
 * Where the outcome is unknown, no message states what was charged or asks the customer to pay again.
 */
export const errorMessages = {
  // Account
  accountNotFound: defineMessage({ id: 'errCode.1', message: 'This account does not exist' }),
  accountNotFound2: defineMessage({ id: 'errCode.2', message: 'This account does not exist' }),
  wrongPassword: defineMessage({ id: 'errCode.3', message: 'This password is not correct' }),
  emailEmpty: defineMessage({ id: 'errCode.4', message: 'Enter your email address' }),
  accountFormat: defineMessage({ id: 'errCode.5', message: 'This account name is not valid' }),
  accountExists: defineMessage({ id: 'errCode.6', message: 'This account already exists' }),
  accountNotFound7: defineMessage({ id: 'errCode.7', message: 'This account does not exist' }),
  emailFormat: defineMessage({ id: 'errCode.8', message: 'This email address is not valid' }),
  notVerified: defineMessage({ id: 'errCode.9', message: 'This account has not been verified yet' }),
  codeExpired: defineMessage({ id: 'errCode.10', message: 'This code has expired. Request a new one.' }),
  wrongCode: defineMessage({ id: 'errCode.11', message: 'This code is not correct' }),
  emailEmpty12: defineMessage({ id: 'errCode.12', message: 'Enter your email address' }),
  accountExists13: defineMessage({ id: 'errCode.13', message: 'This account already exists' }),
  userInfoFailed: defineMessage({ id: 'errCode.15', message: 'We could not load your details. Please try again.' }),
  accountInfoFailed: defineMessage({ id: 'errCode.16', message: 'We could not load your account. Please try again.' }),
  tooManyFailures: defineMessage({ id: 'errCode.17', message: 'Too many failed attempts. Please try again later.' }),
  invalidToken: defineMessage({ id: 'errCode.21', message: 'Please log in again' }),
  invalidAccountCode: defineMessage({ id: 'errCode.28', message: 'This account code is not valid' }),
  userInfoFailed29: defineMessage({ id: 'errCode.29', message: 'We could not load your details. Please try again.' }),
  phoneFormat: defineMessage({ id: 'errCode.32', message: 'This phone number is not valid' }),
  accountUnavailable: defineMessage({ id: 'errCode.105', message: 'This account is not available' }),
  accountUnavailable112: defineMessage({ id: 'errCode.112', message: 'This account is not available' }),
  emailUnavailable: defineMessage({ id: 'errCode.187', message: 'This email address is not available' }),
  accountTypeRefused: defineMessage({ id: 'errCode.197', message: 'This type of account cannot log in here' }),
  loginFailed: defineMessage({ id: 'errCode.201', message: 'We could not log you in' }),
  loginNotAllowed: defineMessage({ id: 'errCode.203', message: 'We could not log you in' }),
  invalidCredentials: defineMessage({ id: 'errCode.3001', message: 'These login details are not correct' }),
  wrongAccountOrPassword: defineMessage({ id: 'errCode.4596', message: 'The account or the password is not correct' }),
  loginBlocked: defineMessage({ id: 'errCode.7004', message: 'Login is blocked for this account' }),

  // Cards
  cardRejected: defineMessage({
    id: 'errCode.301',
    message: 'The card was declined. Try another card or payment method.',
  }),
  insufficientFunds: defineMessage({
    id: 'errCode.302',
    message: 'There are not enough funds for this payment. Try another card, account or payment method.',
  }),
  invalidCard: defineMessage({ id: 'errCode.306', message: 'Some card details are not correct. Please check them.' }),
  cardExpired: defineMessage({ id: 'errCode.309', message: 'This card has expired' }),
  invalidCard312: defineMessage({
    id: 'errCode.312',
    message: 'Some card details are not correct. Please check them.',
  }),
  wrongCardNumber: defineMessage({ id: 'errCode.314', message: 'This card number is not correct' }),
  wrongCardCode: defineMessage({ id: 'errCode.315', message: 'This security code is not correct' }),
  wrongCardNumber1014: defineMessage({ id: 'errCode.1014', message: 'This card number is not correct' }),
  rejectedByBank: defineMessage({
    id: 'errCode.5015',
    message: 'The bank declined this card. Try another card or payment method.',
  }),

  // Orders and payment
  saveOrderFailed: defineMessage({ id: 'errCode.1000', message: 'We could not save your order. Please try again.' }),
  orderNotFound: defineMessage({ id: 'errCode.1001', message: 'We could not find this order' }),
  couponNotRemoved: defineMessage({ id: 'errCode.1003', message: 'We could not remove this coupon' }),
  placePaymentFailed: defineMessage({
    id: 'errCode.1015',
    message: 'Something went wrong with your payment. Check your orders before you pay again.',
  }),
  cardMismatch: defineMessage({ id: 'errCode.1020', message: 'This card does not belong to your account' }),
  cardRenews: defineMessage({
    id: 'errCode.1021',
    message: 'This card is used for automatic renewal, so it cannot be deleted',
  }),
  deleteCardFailed: defineMessage({ id: 'errCode.1022', message: 'We could not delete this card. Please try again.' }),
  rateUnsupported: defineMessage({ id: 'errCode.1030', message: 'Exchange to this currency is not supported' }),
  paymentInfoNotFound: defineMessage({ id: 'errCode.1040', message: 'We could not find the payment details' }),
  emptyOrder: defineMessage({ id: 'errCode.1300', message: 'There is nothing in this order' }),
  serverError: defineMessage({ id: 'errCode.2000', message: 'Something went wrong on our side' }),
  changeFailed: defineMessage({ id: 'errCode.2001', message: 'Something went wrong on our side' }),
  billingCardNotUpdated: defineMessage({ id: 'errCode.2002', message: 'Your billing card was not updated' }),
  paymentFailed: defineMessage({
    id: 'errCode.2003',
    message: 'The payment failed. Try again or choose another payment method.',
  }),
  serverError2005: defineMessage({ id: 'errCode.2005', message: 'Something went wrong on our side' }),
  serverError2006: defineMessage({ id: 'errCode.2006', message: 'Something went wrong on our side' }),
  paymentCancelled: defineMessage({
    id: 'errCode.2007',
    message: 'You cancelled this payment. Try again or choose another payment method.',
  }),
  planUnavailable: defineMessage({ id: 'errCode.2008', message: 'The selected plan is not available' }),
  resetPasswordFirst: defineMessage({
    id: 'errCode.2500',
    message: 'Because of an upgrade, please reset your password before you buy',
  }),
  resetPasswordFirst_2500: defineMessage({
    id: 'errCode.-2500',
    message: 'Because of an upgrade, please reset your password before you buy',
  }),
  savedCardNotFound: defineMessage({ id: 'errCode.-2511', message: 'We could not find this saved card' }),
  methodUnsupported: defineMessage({ id: 'errCode.-2502', message: 'This payment method is not supported' }),
  cardNotKept: defineMessage({ id: 'errCode.-2400', message: 'Some card details are not correct. Please check them.' }),
  internalError: defineMessage({ id: 'errCode.-2499', message: 'Something went wrong on our side' }),
  noReceivingAccount: defineMessage({
    id: 'errCode.-2602',
    message: 'Payments cannot be received this way. Choose another payment method.',
  }),
  currencyUnsupported: defineMessage({ id: 'errCode.-2408', message: 'This currency is not supported' }),
  cannotBuyPlan: defineMessage({ id: 'errCode.6000', message: 'You cannot buy this plan right now' }),
  pageNotFound: defineMessage({ id: 'errCode.6001', message: 'Page not found' }),

  // Renewal
  renewalNotFound: defineMessage({ id: 'errCode.6201', message: 'We could not find your automatic renewal' }),
  renewalExpired: defineMessage({ id: 'errCode.6202', message: 'Your automatic renewal has expired' }),
  renewalCancelled: defineMessage({ id: 'errCode.6204', message: 'Your automatic renewal is already cancelled' }),
  renewalCardUnavailable: defineMessage({
    id: 'errCode.6206',
    message: 'The card for your automatic renewal is not available',
  }),
  renewalUnderWay: defineMessage({
    id: 'errCode.6207',
    message: 'Your plan is being renewed, so automatic renewal cannot be cancelled right now',
  }),

  // Codes and others
  areaCodeEmpty: defineMessage({ id: 'errCode.4000', message: 'Select your country code' }),
  codeNotSent: defineMessage({ id: 'errCode.4597', message: 'We could not send the code. Please try again.' }),
  operationUnsupported: defineMessage({ id: 'errCode.4598', message: 'This action is not supported' }),
  accountLeaves: defineMessage({
    id: 'errCode.4599',
    message: 'Your account will be deleted, so you can’t buy with it. Keep your account first.',
  }),
  invalidRequest: defineMessage({
    id: 'errCode.5000',
    message: 'Some of this information is not valid. Please check it.',
  }),
  countryUnsupported: defineMessage({ id: 'errCode.5003', message: 'This country is not supported' }),
  systemError: defineMessage({ id: 'errCode.5008', message: 'Something went wrong on our side' }),
  invalidUid: defineMessage({ id: 'errCode.6699', message: 'This user ID is not valid' }),
  couponUnavailable: defineMessage({ id: 'errCode.9000', message: 'This coupon is not available' }),
  invalidCoupon: defineMessage({ id: 'errCode.9001', message: 'This coupon is not valid' }),
  couponNotUsable: defineMessage({ id: 'errCode.9002', message: 'This coupon is not valid' }),
  couponUsedUp: defineMessage({ id: 'errCode.9003', message: 'This coupon has been used the maximum number of times' }),
  couponNotVerified: defineMessage({ id: 'errCode.9991', message: 'We could not verify this coupon' }),
  unknownAccount: defineMessage({ id: 'errCode.10024', message: 'This account does not exist' }),
  accountInUse: defineMessage({ id: 'errCode.10025', message: 'This account is already in use' }),
  resetPasswordFailed: defineMessage({ id: 'errCode.10026', message: 'We could not reset your password' }),
  activationFailed: defineMessage({ id: 'errCode.10027', message: 'We could not activate your account' }),
  emailNotSent: defineMessage({ id: 'errCode.10028', message: 'We could not send the email. Please try again.' }),
  wrongCode10029: defineMessage({ id: 'errCode.10029', message: 'This code is not correct' }),
  linkGone: defineMessage({ id: 'errCode.10302', message: 'This link is no longer available' }),
  emailBindingFailed: defineMessage({ id: 'errCode.10303', message: 'We could not link this email address' }),

  // Tokens and login
  tokenMissing: defineMessage({ id: 'errCode.-24010', message: 'Please log in again' }),
  tokenExpired: defineMessage({ id: 'errCode.-24020', message: 'Please log in again' }),
  tokenError: defineMessage({
    id: 'errCode.-24030',
    message: 'We could not confirm your session. Please log in again.',
  }),
  unauthorized: defineMessage({ id: 'errCode.-24031', message: 'You do not have access to this' }),
  staleProof: defineMessage({ id: 'errCode.4600', message: 'We could not check this request. Please try again.' }),
  serviceBusy: defineMessage({ id: 'errCode.-24040', message: 'The service is busy. Please try again in a moment.' }),
  invalidParameter: defineMessage({
    id: 'errCode.-24050',
    message: 'Some of this information is not valid. Please check it.',
  }),
  serverErrorReset: defineMessage({
    id: 'errCode.-1112',
    message: 'Something went wrong on our side. Please log in again.',
  }),
  tenantError: defineMessage({ id: 'errCode.-2223', message: 'Something is not set up correctly on our side' }),
  tooFrequent: defineMessage({
    id: 'errCode.-3031',
    message: 'Too many requests. Please wait a moment and try again.',
  }),
  wrongPaymentCode: defineMessage({ id: 'errCode.-3032', message: 'This code is not correct' }),
  codeNotFound: defineMessage({ id: 'errCode.-3033', message: 'We could not find this code. Request a new one.' }),
  requestExpired: defineMessage({ id: 'errCode.-3034', message: 'This code has expired. Request a new one.' }),
  wrongCaptcha: defineMessage({ id: 'errCode.-3035', message: 'The captcha is not correct. Please try again.' }),
  configError: defineMessage({ id: 'errCode.-3036', message: 'Something is not set up correctly on our side' }),
  loginFailedRefresh: defineMessage({
    id: 'errCode.-3039',
    message: 'We could not log you in. Refresh the page and try again.',
  }),
} satisfies Readonly<Record<ErrorName, MessageDescriptor>>;
