import { createPrivateKey, createPublicKey } from 'node:crypto';
import * as v from 'valibot';

/** A key as UseePay's portal shows it: base64 on one line, or the same between the lines of a PEM file. */
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

/** An account at UseePay's gateway 1.0; without it there is none. */
export const useepaySettings = {
  USEEPAY_MERCHANT_NO: v.optional(v.pipe(v.string(), v.regex(/^\d{6,16}$/, 'must be a number of 6 to 16 digits'))),
  /** the shop's host, as UseePay has approved it */
  USEEPAY_APP_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,128}$/, 'must be a host such as shop.example'))),
  /** ours: requests are signed with it */
  USEEPAY_PRIVATE_KEY: key(
    (der) => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    'must be an RSA private key, PKCS #8',
  ),
  /** theirs: answers and notices are signed with its other half */
  USEEPAY_PUBLIC_KEY: key(
    (der) => createPublicKey({ key: der, format: 'der', type: 'spki' }),
    'must be the RSA public key of UseePay',
  ),
  USEEPAY_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** whether UseePay's page asks for the card's code alone, or has its bank ask the holder, too (3-D Secure) */
  USEEPAY_AUTHORIZATION: v.optional(v.picklist(['cvv', 'threeds2.0']), 'threeds2.0'),
  /** an address in place of UseePay's, for a stand-in */
  USEEPAY_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
};

export const useepayNames = [
  'USEEPAY_MERCHANT_NO',
  'USEEPAY_APP_ID',
  'USEEPAY_PRIVATE_KEY',
  'USEEPAY_PUBLIC_KEY',
] as const;
