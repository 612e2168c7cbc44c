import type { QueryClient } from '@tanstack/react-query';
import { getSession, onSessionChange } from '../session/session.ts';
import { matchPath, paths } from '../../contract/paths.ts';

/** Saved copies belong to whoever is signed in: they are opened with the session and closed with it. */
export async function followCustomer(queryClient: QueryClient): Promise<void> {
  let close: (() => void) | undefined;
  const open = async () => {
    const user = getSession();
    if (!user || close) return;
    const { keepPersonalCopies } = await import('../storage/personal-copies.ts');
    close = await keepPersonalCopies(queryClient, user.uid);
  };
  onSessionChange((user) => {
    close?.();
    close = undefined;
    if (user) void open();
  });
  // Only a page that shows such copies waits for them.
  const pattern = matchPath(location.pathname);
  const opening = open();
  if (pattern && paths[pattern].kind === 'app') await opening;
}
