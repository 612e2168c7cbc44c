import { createHash, timingSafeEqual } from 'node:crypto';

/** The two keys of an app at Payssion. */
export interface PayssionKeys {
  readonly apiKey: string;
  readonly secretKey: string;
}

/**
 * Payssion signs with MD5 only (github.com/payssion/payssion-php, PayssionClient `$sig_keys`,
 * samples/sample_postback.php): the app's key, the named fields and the secret, joined by bars. MD5 is no proof
 * against an attacker who can choose both texts, and a notice's signature does not cover its payment. So nothing is
 * trusted for its signature: responses are trusted because of TLS, and a notice only names the payment to inquire
 * about.
 */
export function signatureOf({ apiKey, secretKey }: PayssionKeys, fields: readonly string[]): string {
  return createHash('md5')
    .update([apiKey, ...fields, secretKey].join('|'))
    .digest('hex');
}

export function isSignedBy(keys: PayssionKeys, fields: readonly string[], given: string): boolean {
  const expected = Buffer.from(signatureOf(keys, fields));
  const told = Buffer.from(given.toLowerCase());
  return told.length === expected.length && timingSafeEqual(told, expected);
}
