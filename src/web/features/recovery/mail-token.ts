import { consumeSecret } from '#web/platform/entry/secret-store.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { expireSession } from '#web/domain/auth/log-out.ts';
import { getSession } from '#web/platform/session/session.ts';

/** The pages that email links lead to. */
type MailPage = 'reset' | 'confirm' | 'bind' | 'restore' | 'offers' | 'renewal';

let held: { readonly page: MailPage; readonly token: string } | undefined;

/**
 * The token of the email link that led to this page. It is in memory only, for the first page that reads it: it
 * survives a change of language or a new rendering, and no other page can use it.
 */
export function mailTokenOf(page: MailPage): string | undefined {
  const arrived = consumeSecret('mailToken');
  if (arrived !== undefined) held = { page, token: arrived };
  return held?.page === page ? held.token : undefined;
}

/** Clears a token that is used up or expired. */
export function clearMailToken(): void {
  held = undefined;
}

/**
 * After a new password was set, the server has ended every session, so this device's session is cleared silently; the
 * notice explains what to do. `returnTo` is where the login then leads.
 */
export function useAfterReset(returnTo: string | undefined): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    // Leaves the page first: it would use the consumed token again.
    await navigate({ to: '/notice', search: { type: 'passwordChanged', return: returnTo }, replace: true });
    clearMailToken();
    if (getSession()) expireSession(client);
  };
}
