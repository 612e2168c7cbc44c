import type { Language } from '../../../contract/fields.ts';
import { toPaypal } from './currencies.ts';
import type { PaypalAttempt } from './find-attempt.ts';

/** Five characters, as PayPal takes them (Orders API v2, `experience_context.locale`). */
const locales: Readonly<Record<Language, string>> = { en: 'en-US', pt: 'pt-BR', es: 'es-ES', ru: 'ru-RU' };

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
            cancel_url: returnUrl,
            user_action: 'PAY_NOW',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
            shipping_preference: 'NO_SHIPPING',
            brand_name: merchantName.slice(0, 127),
            locale: locales[attempt.language],
          },
        },
      },
    }
  );
}
