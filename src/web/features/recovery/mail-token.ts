import { consumeSecret } from '#web/platform/entry/arrive.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { expireSession } from '#web/domain/auth/leave.ts';
import { getSession } from '#web/platform/session/session.ts';

/** The pages that a link of a mail leads to. */
export type MailPage = 'reset' | 'confirm' | 'bind' | 'restore' | 'offers' | 'renewal';

let held: { readonly page: MailPage; readonly token: string } | undefined;

/**
 * The token of the mail's link that led to this page. It is in memory only, and for the page that asked first: so it
 * survives a switch of the language or a page that is drawn anew, and no other page mistakes it for its own.
 */
export function mailTokenOf(page: MailPage): string | undefined {
  const arrived = consumeSecret('mailToken');
  if (arrived !== undefined) held = { page, token: arrived };
  return held?.page === page ? held.token : undefined;
}

/** It has done its work, or is too old. */
export function clearMailToken(): void {
  held = undefined;
}

/**
 * After a new password was set: every session has ended on the server, so the one of this device goes, too, without a
 * word; the notice says what to do. `returnTo` is where the login then leads.
 */
export function useAfterReset(returnTo: string | undefined): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    // The page goes first: it would ask once more for what has just been used up.
    await navigate({ to: '/notice', search: { type: 'passwordChanged', return: returnTo }, replace: true });
    clearMailToken();
    if (getSession()) expireSession(client);
  };
}
