/** What Google said about somebody who has no account here yet. The ticket is a secret, so it is kept in memory only. */
export interface GoogleTicket {
  readonly ticket: string;
  readonly email: string;
  readonly name: string;
}

let held: GoogleTicket | undefined;

export function setGoogleTicket(ticket: GoogleTicket): void {
  held = ticket;
}

/** Looks without taking: a component may be drawn more than once. */
export const heldGoogleTicket = (): GoogleTicket | undefined => held;

/** Once: asking for it forgets it. */
export function takeGoogleTicket(): GoogleTicket | undefined {
  const taken = held;
  held = undefined;
  return taken;
}
