import { takeSecret } from '../../entry/arrive.ts';

/** The pages that a link of a mail leads to. */
export type MailPage = 'reset' | 'confirm' | 'bind';

let held: { readonly page: MailPage; readonly token: string } | undefined;

/**
 * The token of the mail's link that led to this page. It is in memory only, and for the page that asked first: so it
 * survives a switch of the language or a page that is drawn anew, and no other page mistakes it for its own.
 */
export function mailTokenOf(page: MailPage): string | undefined {
  const arrived = takeSecret('mailToken');
  if (arrived !== undefined) held = { page, token: arrived };
  return held?.page === page ? held.token : undefined;
}

/** It has done its work, or is too old. */
export function forgetMailToken(): void {
  held = undefined;
}
