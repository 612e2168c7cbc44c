/** An address as it is shown where somebody may look over a shoulder: its first letter and its host. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return at > 0 ? `${email.slice(0, 1)}***${email.slice(at)}` : '***';
}

/**
 * The account that a password manager is told of: one that was typed on this device and may be the one that the server
 * shows masked. A masked name would be kept by it, and help nobody.
 */
export function usernameFor(shown: string, typed: string | undefined): string | undefined {
  const same = typed !== undefined && typed !== '' && shown.includes('@') && ends(typed) === ends(shown);
  return same ? typed : undefined;
}

const ends = (address: string) => `${address.slice(0, 1)}${address.slice(address.lastIndexOf('@'))}`.toLowerCase();
