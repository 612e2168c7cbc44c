import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dynamicConfig, type Document } from '#contract/site.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { policyInfoKey } from '#web/platform/session/storage/identity-keys.ts';

export type Policy = 'terms' | 'privacy';

/** A document to agree to. Once read in this tab, it can be read again offline. */
export function usePolicy(type: Policy) {
  const language = useLanguage();
  const name = `${type}.${language}`;
  const [kept] = useState(() => policyInfoKey.get() ?? {});
  const query = useQuery(q(dynamicConfig, { query: { type, code: language } }, { quiet: true }));
  const fetched = query.data;
  useEffect(() => {
    if (fetched) policyInfoKey.set({ ...policyInfoKey.get(), [name]: fetched });
  }, [fetched, name]);
  const document: Document | undefined = fetched ?? kept[name];
  return { document, failed: query.isError && !query.isFetching, retry: () => void query.refetch() };
}
