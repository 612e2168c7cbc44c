import type { PaymentFailure } from '#contract/error-codes.ts';

/** Why a bank or Stripe refuses a card (docs.stripe.com/declines/codes, docs.stripe.com/error-codes). */
const codes: Readonly<Record<string, PaymentFailure>> = {
  insufficient_funds: 'insufficientFunds',
  withdrawal_count_limit_exceeded: 'insufficientFunds',
  expired_card: 'cardExpired',
  incorrect_number: 'wrongCardNumber',
  invalid_number: 'wrongCardNumber',
  incorrect_cvc: 'wrongCardCode',
  invalid_cvc: 'wrongCardCode',
  invalid_expiry_month: 'invalidCard',
  invalid_expiry_year: 'invalidCard',
  incorrect_address: 'invalidCard',
  incorrect_zip: 'invalidCard',
  invalid_account: 'invalidCard',
  new_account_information_available: 'invalidCard',
  // the card was deleted at Stripe, or never belonged to this customer
  resource_missing: 'invalidCard',
  payment_method_unactivated: 'methodUnsupported',
  currency_not_supported: 'currencyUnsupported',
  amount_too_small: 'paymentFailed',
  amount_too_large: 'paymentFailed',
  processing_error: 'paymentFailed',
  reenter_transaction: 'paymentFailed',
  try_again_later: 'paymentFailed',
  authentication_required: 'rejectedByBank',
  approve_with_id: 'rejectedByBank',
  call_issuer: 'rejectedByBank',
  do_not_honor: 'rejectedByBank',
  do_not_try_again: 'rejectedByBank',
  generic_decline: 'rejectedByBank',
  issuer_not_available: 'rejectedByBank',
  no_action_taken: 'rejectedByBank',
  not_permitted: 'rejectedByBank',
  payment_intent_authentication_failure: 'rejectedByBank',
  transaction_not_allowed: 'rejectedByBank',
};

/**
 * The failure for a refusal; `words` has the most specific code first. Without a known code, a decline of the card is
 * `cardRejected` and anything else `paymentFailed`.
 */
export function failureOf(
  words: readonly (string | null | undefined)[],
  { isDecline }: { isDecline: boolean },
): PaymentFailure {
  for (const word of words) {
    if (word !== null && word !== undefined && Object.hasOwn(codes, word)) return codes[word] ?? 'paymentFailed';
  }
  return isDecline ? 'cardRejected' : 'paymentFailed';
}
