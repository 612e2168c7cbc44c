import { rowOf } from '#contract/paths.ts';
import { installErrorEffects } from '#web/platform/api/perform.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { returnParam } from '#web/platform/entry/return-path.ts';
import { getSession } from '#web/platform/session/session.ts';
import { showToast } from '#web/ui/toast-store.ts';
import { onBack } from '#web/platform/api/network/network-state.ts';
import type { Started } from './boot.tsx';
import type { AppRouter } from './router.tsx';
import type { RouterContext } from '#web/platform/api/router-context.ts';

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
    endSession: async () => {
      // It came with what talks to the API (`.scripts/chunks.ts`), so it is there when the server says anything.
      const { expireSession } = await import('#web/domain/auth/leave.ts');
      if (!getSession()) return;
      expireSession(queryClient);
      const { pathname, href } = router.state.location;
      // the others work without a session, or say what to do
      if (rowOf(pathname)?.privacy !== 'private') return;
      void router.navigate({ to: '/login', search: { reason: 'expired', return: href } });
    },
  });
  onBack(() => void queryClient.invalidateQueries());
  followLanguage(router, context);
}

/**
 * When the language changes, loaders fetch their texts again and heads are written anew; components stay as they are.
 * An address that names a language would bring the old one back on reload, so it loses that name.
 */
export function followLanguage(router: AppRouter, { i18n, queryClient }: RouterContext): void {
  let language = i18n.locale;
  i18n.on('change', () => {
    // Further words of the same language are no change of it.
    if (i18n.locale === language) return;
    language = i18n.locale;
    // The customer's own answers carry names in the language they were asked in, and their keys do not say so.
    void refreshQueries(queryClient, personalQueries);
    const { href, searchStr } = router.state.location;
    const search = new URLSearchParams(searchStr);
    if (!search.has('language') && !search.has('la')) return void router.invalidate();
    search.delete('language');
    search.delete('la');
    const rest = search.toString();
    router.history.replace(href.split('?')[0] + (rest ? `?${rest}` : ''));
    return void router.invalidate();
  });
}
