import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryInfo, queryUrv } from '#contract/account.ts';
import type { Result } from '#contract/endpoint.ts';
import { ownSettings } from '#contract/settings.ts';
import { isConfirmedEmpty } from '#web/domain/payments/access-text.tsx';
import { q, refreshQueries } from '#web/platform/api/query.ts';

export type Settings = Result<typeof ownSettings>;

/** The query of the page, which shows its errors itself. It is also fetched ahead, where an error must not be shown. */
export const settingsQuery = q(ownSettings, { body: {} }, { quiet: true });

/** Whether the settings are fresh: what an old copy lacks may have been added since. */
export function useSettingsKnown(): boolean {
  const { error, dataUpdatedAt: readAt } = useQuery(settingsQuery);
  return isConfirmedEmpty({ error, readAt });
}

/** The endpoints whose responses contain settings. */
const shown = new Set<unknown>([ownSettings, queryInfo, queryUrv].map(({ name }) => name));

/** Shows a saved change at once, and refetches other queries that contain it. */
export function useSettingsSaved(): (change: Partial<Settings>) => void {
  const client = useQueryClient();
  return (change) => {
    client.setQueryData(settingsQuery.queryKey, (old) => old && { ...old, ...change });
    void refreshQueries(client, { predicate: ({ queryKey }) => shown.has(queryKey[0]) });
  };
}
