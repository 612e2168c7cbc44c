const shownDigits = 2;

/**
 * An account as somebody who may not be its owner sees it: `m***@gmail.com`, `55•••••••••78`. The stars of an address
 * are always three, so that they do not tell how long it is.
 */
export function maskAccount(account: string): string {
  const at = account.lastIndexOf('@');
  if (at > 0) return `${account.slice(0, 1)}***${account.slice(at)}`;
  const hidden = account.length - 2 * shownDigits;
  if (hidden < shownDigits) return '•'.repeat(account.length);
  return `${account.slice(0, shownDigits)}${'•'.repeat(hidden)}${account.slice(-shownDigits)}`;
}
