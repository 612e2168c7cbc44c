import { useQueryClient } from '@tanstack/react-query';
import { keepAccount } from '#contract/my-data.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { getSession, setSession } from '#web/platform/session/session.ts';

/** Cancels the deletion of the account; calls `onKept` when that succeeded. */
export function useCancelDeletion(onKept: () => void) {
  const client = useQueryClient();
  const keep = useApiMutation(keepAccount, {
    onSuccess: async () => {
      const session = getSession();
      if (session) setSession({ ...session, leavesAt: undefined });
      onKept();
      // home and account show the date of deletion
      await refreshQueries(client, personalQueries);
    },
  });
  return { ...keep, mutate: () => keep.mutate({ body: {} }) };
}
