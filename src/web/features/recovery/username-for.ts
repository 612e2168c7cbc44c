/**
 * The account that a password manager is told of: one that was typed on this device and may be the one that the server
 * shows masked. A masked name would be kept by it, and help nobody.
 */
export function usernameFor(shown: string, typed: string | undefined): string | undefined {
  const same = typed !== undefined && typed !== '' && shown.includes('@') && ends(typed) === ends(shown);
  return same ? typed : undefined;
}

const ends = (address: string) => `${address.slice(0, 1)}${address.slice(address.lastIndexOf('@'))}`.toLowerCase();
