import type { ErrorCode } from '../../../contract/error-codes.ts';

/** Why a bank or Stripe refuses a card (docs.stripe.com/declines/codes, docs.stripe.com/error-codes). */
const codes: Readonly<Record<string, ErrorCode>> = {
  insufficient_funds: 302,
  withdrawal_count_limit_exceeded: 302,
  expired_card: 309,
  incorrect_number: 314,
  invalid_number: 314,
  incorrect_cvc: 315,
  invalid_cvc: 315,
  invalid_expiry_month: 306,
  invalid_expiry_year: 306,
  incorrect_address: 306,
  incorrect_zip: 306,
  invalid_account: 306,
  new_account_information_available: 306,
  // the card is gone at Stripe, or was never this customer's
  resource_missing: 306,
  payment_method_unactivated: -2502,
  currency_not_supported: -2408,
  amount_too_small: 2003,
  amount_too_large: 2003,
  processing_error: 2003,
  reenter_transaction: 2003,
  try_again_later: 2003,
  authentication_required: 5015,
  approve_with_id: 5015,
  call_issuer: 5015,
  do_not_honor: 5015,
  do_not_try_again: 5015,
  generic_decline: 5015,
  issuer_not_available: 5015,
  no_action_taken: 5015,
  not_permitted: 5015,
  payment_intent_authentication_failure: 5015,
  transaction_not_allowed: 5015,
};

/** What is known of a refusal, the more exact word first. A card's own refusals are 301, all others "payment failed". */
export function failureCodeOf(
  words: readonly (string | null | undefined)[],
  { isDecline }: { isDecline: boolean },
): ErrorCode {
  for (const word of words) {
    if (word !== null && word !== undefined && Object.hasOwn(codes, word)) return codes[word] ?? 2003;
  }
  return isDecline ? 301 : 2003;
}
