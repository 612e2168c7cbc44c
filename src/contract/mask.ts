const shownDigits = 2;

/**
 * An account, masked for viewers who may not be its owner: `m***@gmail.com`, `55•••••••••78`. An address always has
 * three stars, so that they do not reveal its length.
 */
export function maskAccount(account: string): string {
  const plain = account.replace(/^\+/, '');
  const at = plain.lastIndexOf('@');
  if (at > 0) return `${/^./u.exec(plain)?.[0] ?? ''}***${plain.slice(at)}`;
  const hidden = plain.length - 2 * shownDigits;
  if (hidden < shownDigits) return '•'.repeat(plain.length);
  return plain.slice(0, shownDigits) + '•'.repeat(hidden) + plain.slice(-shownDigits);
}

/** Two-digit country codes (ITU-T E.164); 1 and 7 have one digit, all others three. */
const twoDigits = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The groups of a number without its country code, masked or not; other countries have groups of three. */
const groupsOf: Readonly<Record<string, readonly [number: RegExp, groups: string]>> = {
  '1': [/^(.{3})(.{3})(.{4})$/, '$1 $2-$3'],
  '7': [/^(.{3})(.{3})(.{2})(.{2})$/, '$1 $2-$3-$4'],
  '55': [/^(.{2})(.{4,5})(.{4})$/, '$1 $2-$3'],
};

/** An account as customers read it: `+55 11 98765-4321`, masked `+55 •• •••••-••21`. An email address stays unchanged. */
export function accountText(account: string): string {
  const digits = account.replace(/^\+/, '');
  if (!/^\d[\d•]{6,14}$/.test(digits)) return account;
  const country = /^[17]/.test(digits) ? digits.slice(0, 1) : digits.slice(0, twoDigits.test(digits) ? 2 : 3);
  const national = digits.slice(country.length);
  const [number, groups] = groupsOf[country] ?? [];
  const written = number?.test(national) ? national.replace(number, groups ?? '') : undefined;
  return `+${country} ${written ?? national.replaceAll(/.{3}(?=.{2})/g, '$& ')}`;
}

/**
 * The first ten characters of an order's ID in two groups, for reading aloud: 50 random bits of letters and digits
 * without look-alikes. IDs of other systems may be shorter.
 */
export function orderNumber(orderId: string): string {
  return orderId.length > 10 ? `${orderId.slice(0, 5)}-${orderId.slice(5, 10)}` : orderId;
}

/** Both in one text: `ABCDE-FGHJK (ABCDEFGHJK…)`. */
export function orderWithNumber(orderId: string): string {
  const number = orderNumber(orderId);
  return number === orderId ? orderId : `${number} (${orderId})`;
}
