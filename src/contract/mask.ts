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
