import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryInfo, queryUrv } from '#contract/account.ts';
import type { Result } from '#contract/endpoint.ts';
import { ownSettings } from '#contract/settings.ts';
import { isKnownEmpty } from '#web/domain/payments/when-known.tsx';
import { q, refreshQueries } from '#web/platform/api/query.ts';

export type Settings = Result<typeof ownSettings>;

/** The call behind the page. */
export const settingsQuery = q(ownSettings, { body: {} });

/** Whether the shop has just answered: what is missing in an old copy may have been added since. */
export function useSettingsKnown(): boolean {
  const { error, dataUpdatedAt: readAt } = useQuery(settingsQuery);
  return isKnownEmpty({ error, readAt });
}

/** The calls whose answers tell of it. */
const shown = new Set<unknown>([ownSettings, queryInfo, queryUrv].map(({ name }) => name));

/** Shows at once what was saved, and has whatever else shows it asked again. */
export function useSettingsSaved(): (change: Partial<Settings>) => void {
  const client = useQueryClient();
  return (change) => {
    client.setQueryData(settingsQuery.queryKey, (old) => old && { ...old, ...change });
    void refreshQueries(client, { predicate: ({ queryKey }) => shown.has(queryKey[0]) });
  };
}
