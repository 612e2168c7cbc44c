import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';
import type { ErrorCode } from '../../../contract/error-codes.ts';

/**
 * The English words of every code, for two purposes only: `lingui extract` finds them here, and a
 * code without words does not compile. No module may import this at run time, so that it costs no
 * bytes: the storefront looks the words up in the active catalogue by the id `errCode.<code>`.
 *
 * Where the outcome is unknown, no sentence says what was charged or asks to pay again.
 */
export const errorMessages = {
  // Account
  '1': defineMessage({ id: 'errCode.1', message: 'This account does not exist' }),
  '2': defineMessage({ id: 'errCode.2', message: 'This account does not exist' }),
  '3': defineMessage({ id: 'errCode.3', message: 'This password is not correct' }),
  '4': defineMessage({ id: 'errCode.4', message: 'Enter your email address' }),
  '5': defineMessage({ id: 'errCode.5', message: 'This account name is not valid' }),
  '6': defineMessage({ id: 'errCode.6', message: 'This account already exists' }),
  '7': defineMessage({ id: 'errCode.7', message: 'This account does not exist' }),
  '8': defineMessage({ id: 'errCode.8', message: 'This email address is not valid' }),
  '9': defineMessage({ id: 'errCode.9', message: 'This account has not been verified yet' }),
  '10': defineMessage({ id: 'errCode.10', message: 'This code has expired. Ask for a new one.' }),
  '11': defineMessage({ id: 'errCode.11', message: 'This code is not correct' }),
  '12': defineMessage({ id: 'errCode.12', message: 'Enter your email address' }),
  '13': defineMessage({ id: 'errCode.13', message: 'This account already exists' }),
  '15': defineMessage({
    id: 'errCode.15',
    message: 'We could not load your details. Please try again.',
  }),
  '16': defineMessage({
    id: 'errCode.16',
    message: 'We could not load your account. Please try again.',
  }),
  '17': defineMessage({
    id: 'errCode.17',
    message: 'Too many failed attempts. Please try again later.',
  }),
  '21': defineMessage({ id: 'errCode.21', message: 'Please log in again' }),
  '28': defineMessage({ id: 'errCode.28', message: 'This account code is not valid' }),
  '29': defineMessage({
    id: 'errCode.29',
    message: 'We could not load your details. Please try again.',
  }),
  '32': defineMessage({ id: 'errCode.32', message: 'This phone number is not valid' }),
  '105': defineMessage({ id: 'errCode.105', message: 'This account is not available' }),
  '112': defineMessage({ id: 'errCode.112', message: 'This account is not available' }),
  '187': defineMessage({ id: 'errCode.187', message: 'This email address is not available' }),
  '197': defineMessage({ id: 'errCode.197', message: 'This type of account cannot log in here' }),
  '201': defineMessage({ id: 'errCode.201', message: 'We could not log you in' }),
  '203': defineMessage({ id: 'errCode.203', message: 'We could not log you in' }),
  '3001': defineMessage({ id: 'errCode.3001', message: 'These login details are not correct' }),
  '4596': defineMessage({
    id: 'errCode.4596',
    message: 'The account or the password is not correct',
  }),
  '7004': defineMessage({ id: 'errCode.7004', message: 'Login is blocked for this account' }),

  // Cards
  '301': defineMessage({
    id: 'errCode.301',
    message: 'The card was declined. Try another card or payment method.',
  }),
  '302': defineMessage({
    id: 'errCode.302',
    message: 'There are not enough funds for this payment. Try another card, account or payment method.',
  }),
  '306': defineMessage({
    id: 'errCode.306',
    message: 'Some card details are not correct. Please check them.',
  }),
  '309': defineMessage({ id: 'errCode.309', message: 'This card has expired' }),
  '312': defineMessage({
    id: 'errCode.312',
    message: 'Some card details are not correct. Please check them.',
  }),
  '314': defineMessage({ id: 'errCode.314', message: 'This card number is not correct' }),
  '315': defineMessage({ id: 'errCode.315', message: 'This security code is not correct' }),
  '1014': defineMessage({ id: 'errCode.1014', message: 'This card number is not correct' }),
  '5015': defineMessage({
    id: 'errCode.5015',
    message: 'The bank declined this card. Try another card or payment method.',
  }),

  // Orders and payment
  '1000': defineMessage({
    id: 'errCode.1000',
    message: 'We could not save your order. Please try again.',
  }),
  '1001': defineMessage({ id: 'errCode.1001', message: 'We could not find this order' }),
  '1003': defineMessage({ id: 'errCode.1003', message: 'We could not remove this coupon' }),
  '1015': defineMessage({
    id: 'errCode.1015',
    message: 'Something went wrong with your payment. Check your orders before you pay again.',
  }),
  '1020': defineMessage({
    id: 'errCode.1020',
    message: 'This card does not belong to your account',
  }),
  '1021': defineMessage({
    id: 'errCode.1021',
    message: 'This card is used for auto-renewal, so it cannot be deleted',
  }),
  '1022': defineMessage({
    id: 'errCode.1022',
    message: 'We could not delete this card. Please try again.',
  }),
  '1030': defineMessage({
    id: 'errCode.1030',
    message: 'Exchange to this currency is not supported',
  }),
  '1040': defineMessage({ id: 'errCode.1040', message: 'We could not find the payment details' }),
  '1300': defineMessage({ id: 'errCode.1300', message: 'There is nothing in this order' }),
  '2000': defineMessage({ id: 'errCode.2000', message: 'Something went wrong on our side' }),
  '2001': defineMessage({ id: 'errCode.2001', message: 'Something went wrong on our side' }),
  '2002': defineMessage({ id: 'errCode.2002', message: 'Your billing card was not updated' }),
  '2003': defineMessage({
    id: 'errCode.2003',
    message: 'The payment failed. Try again or choose another payment method.',
  }),
  '2005': defineMessage({ id: 'errCode.2005', message: 'Something went wrong on our side' }),
  '2006': defineMessage({ id: 'errCode.2006', message: 'Something went wrong on our side' }),
  '2007': defineMessage({
    id: 'errCode.2007',
    message: 'You cancelled this payment. Try again or choose another payment method.',
  }),
  '2008': defineMessage({ id: 'errCode.2008', message: 'The selected plan is not available' }),
  '2500': defineMessage({
    id: 'errCode.2500',
    message: 'Because of an upgrade, please reset your password before you buy',
  }),
  '-2500': defineMessage({
    id: 'errCode.-2500',
    message: 'Because of an upgrade, please reset your password before you buy',
  }),
  '-2511': defineMessage({ id: 'errCode.-2511', message: 'We could not find this saved card' }),
  '-2502': defineMessage({ id: 'errCode.-2502', message: 'This payment method is not supported' }),
  '-2400': defineMessage({
    id: 'errCode.-2400',
    message: 'Some card details are not correct. Please check them.',
  }),
  '-2499': defineMessage({ id: 'errCode.-2499', message: 'Something went wrong on our side' }),
  '-2602': defineMessage({
    id: 'errCode.-2602',
    message: 'Payments cannot be received this way. Choose another payment method.',
  }),
  '-2408': defineMessage({ id: 'errCode.-2408', message: 'This currency is not supported' }),
  '6000': defineMessage({ id: 'errCode.6000', message: 'You cannot buy this plan right now' }),
  '6001': defineMessage({ id: 'errCode.6001', message: 'Page not found' }),

  // Renewal
  '6201': defineMessage({ id: 'errCode.6201', message: 'We could not find your auto-renewal' }),
  '6202': defineMessage({ id: 'errCode.6202', message: 'Your auto-renewal has expired' }),
  '6204': defineMessage({ id: 'errCode.6204', message: 'Your auto-renewal is already cancelled' }),
  '6206': defineMessage({
    id: 'errCode.6206',
    message: 'The card for your auto-renewal is not available',
  }),
  '6207': defineMessage({
    id: 'errCode.6207',
    message: 'Your plan is being renewed, so auto-renewal cannot be cancelled right now',
  }),

  // Codes and others
  '4000': defineMessage({ id: 'errCode.4000', message: 'Select your country code' }),
  '4597': defineMessage({
    id: 'errCode.4597',
    message: 'We could not send the code. Please try again.',
  }),
  '4598': defineMessage({ id: 'errCode.4598', message: 'This action is not supported' }),
  '4599': defineMessage({
    id: 'errCode.4599',
    message: 'Your account is going to be deleted, so nothing can be bought with it. Keep your account first.',
  }),
  '5000': defineMessage({
    id: 'errCode.5000',
    message: 'Some of this information is not valid. Please check it.',
  }),
  '5003': defineMessage({ id: 'errCode.5003', message: 'This country is not supported' }),
  '5008': defineMessage({ id: 'errCode.5008', message: 'Something went wrong on our side' }),
  '6699': defineMessage({ id: 'errCode.6699', message: 'This user ID is not valid' }),
  '9000': defineMessage({ id: 'errCode.9000', message: 'This coupon is not available' }),
  '9001': defineMessage({ id: 'errCode.9001', message: 'This coupon is not valid' }),
  '9002': defineMessage({ id: 'errCode.9002', message: 'This coupon is not valid' }),
  '9003': defineMessage({
    id: 'errCode.9003',
    message: 'This coupon has been used the maximum number of times',
  }),
  '9991': defineMessage({ id: 'errCode.9991', message: 'We could not verify this coupon' }),
  '10024': defineMessage({ id: 'errCode.10024', message: 'This account does not exist' }),
  '10025': defineMessage({ id: 'errCode.10025', message: 'This account is already in use' }),
  '10026': defineMessage({ id: 'errCode.10026', message: 'We could not reset your password' }),
  '10027': defineMessage({ id: 'errCode.10027', message: 'We could not activate your account' }),
  '10028': defineMessage({
    id: 'errCode.10028',
    message: 'We could not send the email. Please try again.',
  }),
  '10029': defineMessage({ id: 'errCode.10029', message: 'This code is not correct' }),
  '10302': defineMessage({ id: 'errCode.10302', message: 'This link is no longer available' }),
  '10303': defineMessage({ id: 'errCode.10303', message: 'We could not link this email address' }),

  // Tokens and login
  '-24010': defineMessage({ id: 'errCode.-24010', message: 'Please log in again' }),
  '-24020': defineMessage({ id: 'errCode.-24020', message: 'Please log in again' }),
  '-24030': defineMessage({
    id: 'errCode.-24030',
    message: 'We could not confirm your session. Please log in again.',
  }),
  '-24031': defineMessage({ id: 'errCode.-24031', message: 'You do not have access to this' }),
  '-24040': defineMessage({
    id: 'errCode.-24040',
    message: 'The service is busy. Please try again in a moment.',
  }),
  '-24050': defineMessage({
    id: 'errCode.-24050',
    message: 'Some of this information is not valid. Please check it.',
  }),
  '-1112': defineMessage({
    id: 'errCode.-1112',
    message: 'Something went wrong on our side. Please log in again.',
  }),
  '-2223': defineMessage({
    id: 'errCode.-2223',
    message: 'Something is not set up correctly on our side',
  }),
  '-3031': defineMessage({
    id: 'errCode.-3031',
    message: 'Too many requests. Please wait a moment and try again.',
  }),
  '-3032': defineMessage({ id: 'errCode.-3032', message: 'This code is not correct' }),
  '-3033': defineMessage({
    id: 'errCode.-3033',
    message: 'We could not find this code. Ask for a new one.',
  }),
  '-3034': defineMessage({
    id: 'errCode.-3034',
    message: 'This code has expired. Ask for a new one.',
  }),
  '-3035': defineMessage({
    id: 'errCode.-3035',
    message: 'The captcha is not correct. Please try again.',
  }),
  '-3036': defineMessage({
    id: 'errCode.-3036',
    message: 'Something is not set up correctly on our side',
  }),
  '-3039': defineMessage({
    id: 'errCode.-3039',
    message: 'We could not log you in. Refresh the page and try again.',
  }),
} satisfies Readonly<Record<`${ErrorCode}`, MessageDescriptor>>;
