import { matchPath, paths } from '../../contract/paths.ts';
import { installErrorEffects } from '../api/perform.ts';
import { returnParam } from '../entry/return-path.ts';
import { followLanguage } from './language-follower.ts';
import { expireSession } from '../session/leave.ts';
import { getSession } from '../session/session.ts';
import { showToast } from '../ui/toast-store.ts';
import { onBack } from '../pwa/network-state.ts';
import type { Started } from './boot.tsx';

/** Pages of the app that a visitor may stay on when the session ends: they work without one, or say what to do. */
const open = new Set(['notice', 'payment-result', 'reset-password', 'resend-confirm', 'device', 'stb-orders']);

/** Lends the router, the toasts and the session to the one place that acts on errors. */
export function installEffects({ router, context }: Started): void {
  const { queryClient } = context;
  installErrorEffects({
    toast: showToast,
    navigate: (to, search, detour) => {
      const way = detour ? { ...search, [returnParam]: router.state.location.href } : search;
      // In its place, or the browser's Back would only bring it up again.
      void router.navigate({ to, search: way, replace: detour });
    },
    endSession: () => {
      if (!getSession()) return;
      expireSession(queryClient);
      const { pathname, href } = router.state.location;
      const pattern = matchPath(pathname);
      const row = pattern && paths[pattern];
      if (row?.kind !== 'app' || open.has(row.page)) return;
      void router.navigate({ to: '/login', search: { reason: 'expired', return: href } });
    },
  });
  onBack(() => void queryClient.invalidateQueries());
  followLanguage(router, context);
}
