import { languageTable, type Language } from '#contract/fields.ts';
import { toPaypal } from './currencies.ts';
import type { PaypalAttempt } from './find-attempt.ts';

/** As PayPal takes it, with a region: `en-US` (Orders API v2, `experience_context.locale`). */
function paypalLocale(code: Language): string {
  const { language, region } = new Intl.Locale(languageTable[code].locale).maximize();
  return `${language}-${region}`;
}

/** The way back of who leaves without paying: the page then chooses its words by it, and believes the state alone. */
function leftUrl(returnUrl: string): string {
  const url = new URL(returnUrl);
  url.pathname += '/left/1';
  return url.href;
}

/**
 * The body of "Create order". Undefined for an amount that PayPal does not take. The invoice is the order's id: an account
 * that blocks a second payment of one invoice then does so, too. The instrument must pay at once, because the service
 * starts at once; there is nothing to ship.
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
