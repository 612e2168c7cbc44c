import type { QueryClient } from '@tanstack/react-query';
import type { UserInfo } from '#contract/user.ts';
import { savePersonalCopies, type OpenCopies } from '#web/platform/session/storage/personal-copies.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';
import { startFirstReads } from './first-reads.ts';
import { prefetchAccount } from './prefetch-account.ts';

interface Opened extends OpenCopies {
  /** starts what the page reads */
  readonly startReads: () => void;
}

/** Opens the customer's saved copies, and fetches ahead those that are missing. */
export function openCopies(queryClient: QueryClient, user: UserInfo): Opened {
  const copies = savePersonalCopies(queryClient, user.uid);
  void copies.restored.then(async () => {
    await pageLoaded(queryClient);
    whenIdle(() => void prefetchAccount(queryClient, user));
  });
  return { ...copies, startReads: () => startFirstReads(queryClient, user, location) };
}

/** How long, in milliseconds, a page must request nothing to count as loaded, and how often that is checked. */
const quietMs = 2000;
const checkMs = 500;

/** Resolves when the page is shown with its data: while it waits for the network the browser is idle, too. */
async function pageLoaded(queryClient: QueryClient): Promise<void> {
  for (let quiet = 0; quiet < quietMs;) {
    await new Promise((resolve) => setTimeout(resolve, checkMs));
    const isBusy = !('hydrated' in document.documentElement.dataset) || queryClient.isFetching() > 0;
    quiet = isBusy ? 0 : quiet + checkMs;
  }
}
