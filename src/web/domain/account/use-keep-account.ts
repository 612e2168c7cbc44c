import { useQueryClient } from '@tanstack/react-query';
import { keepAccount } from '#contract/my-data.ts';
import { call } from '#web/platform/api/client.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { getSession, setSession } from '#web/platform/session/session.ts';

const owned = ownedBy(keepAccount.errors);

/** Takes back that the account is to be deleted ([Note: Deletion] in the contract); `onKept` once it is so. */
export function useKeepAccount(onKept: () => void) {
  const client = useQueryClient();
  return useTap(async () => {
    try {
      await call(keepAccount, { body: {} }, { handledErrors: owned });
    } catch (error) {
      return refusalOf(error, { fields: {}, owned }).summary;
    }
    const session = getSession();
    if (session) setSession({ ...session, leavesAt: undefined });
    onKept();
    // home and account say so, too
    await refreshQueries(client, personalQueries);
    return undefined;
  });
}
