import { createPrivateKey, createPublicKey } from 'node:crypto';
import * as v from 'valibot';

/** A key as UseePay's portal shows it: base64 on one line, or the same as a PEM file. */
function key(reads: (der: Buffer) => unknown, what: string) {
  const isKey = (base64: string): boolean => {
    try {
      reads(Buffer.from(base64, 'base64'));
      return true;
    } catch {
      return false;
    }
  };
  return v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replace(/-----[A-Z ]+-----|\\n|\s/g, '')),
      v.check(isKey, what),
    ),
  );
}

/** UseePay. An account at UseePay's gateway 1.0. */
export const useepaySettings = {
  /** The merchant number. */
  USEEPAY_MERCHANT_NO: v.optional(v.pipe(v.string(), v.regex(/^\d{6,16}$/, 'must be a number of 6 to 16 digits'))),
  /** The host of the shop, as UseePay approved it. */
  USEEPAY_APP_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,128}$/, 'must be a host such as shop.example'))),
  /** Our private RSA key, PKCS #8, as PEM or base64. It signs requests. */
  USEEPAY_PRIVATE_KEY: key(
    (der) => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    'must be an RSA private key, PKCS #8',
  ),
  /** The public RSA key of UseePay, as PEM or base64. It verifies answers and notices. */
  USEEPAY_PUBLIC_KEY: key(
    (der) => createPublicKey({ key: der, format: 'der', type: 'spki' }),
    'must be the RSA public key of UseePay',
  ),
  /** `sandbox` is UseePay's test environment. `live` moves real money. */
  USEEPAY_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** `cvv` requests the security code only. `threeds2.0` also runs 3-D Secure. */
  USEEPAY_AUTHORIZATION: v.optional(v.picklist(['cvv', 'threeds2.0']), 'threeds2.0'),
  /** The origin of a server that replaces UseePay in tests. */
  USEEPAY_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
};

export const useepayNames = [
  'USEEPAY_MERCHANT_NO',
  'USEEPAY_APP_ID',
  'USEEPAY_PRIVATE_KEY',
  'USEEPAY_PUBLIC_KEY',
] as const;
