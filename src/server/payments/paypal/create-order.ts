import { languageTable, type Language } from '#contract/fields.ts';
import { toPaypal } from './currencies.ts';
import type { PaypalAttempt } from './find-attempt.ts';

/** The locale in PayPal's format, with a region: `en-US` (Orders API v2, `experience_context.locale`). */
function paypalLocale(code: Language): string {
  const { language, region } = new Intl.Locale(languageTable[code].locale).maximize();
  return `${language}-${region}`;
}

/**
 * The return address of a payer who leaves without paying. The page uses it only to choose its message; the stored
 * state decides.
 */
function leftUrl(returnUrl: string): string {
  const url = new URL(returnUrl);
  url.pathname += '/left/1';
  return url.href;
}

/**
 * The body of "Create order". Undefined for an amount that PayPal does not accept. The invoice is the order's ID, so
 * an account that blocks a second payment of an invoice blocks it here too. Payment must be immediate, because the
 * service starts at once; nothing is shipped.
 */
export function orderBody(
  attempt: PaypalAttempt,
  { merchantName, returnUrl }: { merchantName: string; returnUrl: string },
): object | undefined {
  const amount = toPaypal(attempt);
  return (
    amount && {
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: attempt.key, invoice_id: attempt.orderId, amount }],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: returnUrl,
            cancel_url: leftUrl(returnUrl),
            user_action: 'PAY_NOW',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
            shipping_preference: 'NO_SHIPPING',
            brand_name: merchantName.slice(0, 127),
            locale: paypalLocale(attempt.language),
          },
        },
      },
    }
  );
}
