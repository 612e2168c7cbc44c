import { createHash, timingSafeEqual } from 'node:crypto';

/** The two keys of an app at Payssion. */
export interface PayssionKeys {
  readonly apiKey: string;
  readonly secretKey: string;
}

/**
 * Payssion signs by MD5 and knows no other way (github.com/payssion/payssion-php, PayssionClient `$sig_keys`,
 * samples/sample_postback.php): the app's key, the named fields and the secret, with bars between. MD5 no longer proves
 * anything against who can choose both of two texts, and what is signed of a notice is not even its payment; so nothing is
 * believed for its signature. Answers are believed because TLS says who gives them, and of a notice no more is taken than
 * which payment to ask about.
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
