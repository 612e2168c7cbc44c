const shownDigits = 2;

/**
 * An account as somebody who may not be its owner sees it: `m***@gmail.com`, `55•••••••••78`. The stars of an address
 * are always three, so that they do not tell how long it is.
 */
export function maskAccount(account: string): string {
  const plain = account.replace(/^\+/, '');
  const at = plain.lastIndexOf('@');
  if (at > 0) return `${/^./u.exec(plain)?.[0] ?? ''}***${plain.slice(at)}`;
  const hidden = plain.length - 2 * shownDigits;
  if (hidden < shownDigits) return '•'.repeat(plain.length);
  return plain.slice(0, shownDigits) + '•'.repeat(hidden) + plain.slice(-shownDigits);
}
