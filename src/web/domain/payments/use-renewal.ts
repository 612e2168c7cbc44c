import { useQuery } from '@tanstack/react-query';
import { renewInfo } from '#contract/renewal.ts';
import { q } from '#web/platform/api/query.ts';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';

/** The query of the renewal; the pages work without it. */
export const renewalQuery = q(renewInfo, {}, { quiet: true });

/** The renewal, where the backend has renewals; `enabled` is false for a customer who cannot have one. */
export function useRenewal({ enabled = true, fresh = false }: { enabled?: boolean; fresh?: boolean }) {
  const renews = useIsCapable('renew');
  return useQuery({ ...renewalQuery, enabled: renews && enabled, ...(fresh && { staleTime: 0 }) });
}
