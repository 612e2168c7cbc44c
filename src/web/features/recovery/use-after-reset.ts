import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { expireSession } from '../../session/leave.ts';
import { getSession } from '../../session/session.ts';
import { forgetMailToken } from './mail-token.ts';

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
    forgetMailToken();
    if (getSession()) expireSession(client);
  };
}
