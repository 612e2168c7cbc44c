import type { QueryClient } from '@tanstack/react-query';
import type { UserInfo } from '#contract/user.ts';
import { savePersonalCopies, type OpenCopies } from '#web/platform/session/storage/personal-copies.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';
import { prefetchAccount } from './prefetch-account.ts';

/** Opens the customer's saved copies, and fetches ahead those that are missing. */
export function openCopies(queryClient: QueryClient, user: UserInfo): OpenCopies {
  const copies = savePersonalCopies(queryClient, user.uid);
  void copies.restored.then(() => whenIdle(() => void prefetchAccount(queryClient, user)));
  return copies;
}
