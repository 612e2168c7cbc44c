import type { QueryClient } from '@tanstack/react-query';
import { wipeWorkerCaches } from '../pwa/tell-worker.ts';
import { removePersonalAsync } from '../storage/stored-async.ts';
import { clearSession, dropSession, heldToken } from './session.ts';

/** The server no longer knows the session: drafts and a payment under way stay for the same person's next login. */
export function expireSession(queryClient: QueryClient): void {
  clearSession('expired');
  forgetQueries(queryClient);
  void wipeDisk();
}

/** Another tab has logged out or in: what this one knows of the customer goes, and the store stays as that tab made it. */
export function followOtherTab(queryClient: QueryClient): void {
  if (heldToken() === null) return;
  dropSession();
  forgetPersonal(queryClient);
  void wipeDisk();
}

/** Personal answers go; the shop's own are asked again, because a price may depend on who asks. */
export function forgetQueries(queryClient: QueryClient): void {
  forgetPersonal(queryClient);
  void queryClient.invalidateQueries();
}

function forgetPersonal(queryClient: QueryClient): void {
  const personal = {
    predicate: ({ meta }: { meta?: Record<string, unknown> | undefined }) => meta?.['personal'] === true,
  };
  void queryClient.cancelQueries(personal);
  queryClient.removeQueries(personal);
  queryClient.getMutationCache().clear();
}

/** Personal copies on the disk, and what the worker keeps. */
export async function wipeDisk(): Promise<void> {
  await Promise.all([removePersonalAsync(), wipeWorkerCaches()]);
}
