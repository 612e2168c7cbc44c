import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { PayerProblem } from './payer-problems.ts';

/** The message of each problem: what is missing, or the expected format. */
export const payerWords = {
  numberEmpty: msg`Enter the card number`,
  numberShort: msg`The card number is not complete`,
  numberWrong: msg`Check the card number: there is a digit wrong`,
  expiryEmpty: msg`Enter the expiry date`,
  expiryWrong: msg`Enter the expiry date as MM/YY`,
  expired: msg`This card has expired`,
  codeEmpty: msg`Enter the security code`,
  codeThree: msg`The security code has 3 digits`,
  codeFour: msg`The security code has 4 digits`,
  firstNameEmpty: msg`Enter the first name`,
  nameLong: msg`This name is too long`,
  nameLetters: msg`Enter the name as it is written on a card or a passport`,
  documentEmpty: msg`Enter your CPF or CNPJ`,
  documentWrong: msg`This CPF or CNPJ is not valid`,
  birthDateEmpty: msg`Enter your date of birth`,
  birthDateWrong: msg`This date of birth is not valid`,
  areaCodeWrong: msg`Begin with the area code of 2 digits`,
  phoneWrong: msg`Enter the phone number with its area code`,
  mobileWrong: msg`Enter the number that the payment is taken from, without its country code`,
  zipCodeWrong: msg`This zip code is not valid`,
  stateEmpty: msg`Choose the state`,
  stateWrong: msg`This state is not valid`,
  cityEmpty: msg`Enter the city`,
  streetEmpty: msg`Enter the street`,
  streetNumberEmpty: msg`Enter the number`,
  placeLong: msg`This is too long`,
} satisfies Record<PayerProblem, MessageDescriptor>;
