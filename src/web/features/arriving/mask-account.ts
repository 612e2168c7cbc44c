const shownDigits = 2;

/** As the server masks accounts: `m***@mail.example`, `55•••••••••78`. The stars do not tell how long an address is. */
export function maskAccount(account: string): string {
  const plain = account.replace(/^\+/, '');
  const at = plain.lastIndexOf('@');
  if (at > 0) return `${/^./u.exec(plain)?.[0] ?? ''}***${plain.slice(at)}`;
  const hidden = plain.length - 2 * shownDigits;
  if (hidden < shownDigits) return '•'.repeat(plain.length);
  return plain.slice(0, shownDigits) + '•'.repeat(hidden) + plain.slice(-shownDigits);
}
