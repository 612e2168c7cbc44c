import { findPathRow } from '#contract/paths.ts';
import { installErrorEffects } from '#web/platform/api/perform.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { returnParam } from '#web/platform/entry/return-path.ts';
import { getSession } from '#web/platform/session/session.ts';
import { showToast } from '#web/ui/toast-store.ts';
import { onReconnect } from '#web/platform/api/network/network-state.ts';
import type { StartedApp } from './boot.tsx';
import type { AppRouter } from './router.tsx';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { activeLanguage, rememberLanguage } from '#web/platform/i18n/active.ts';
import type { LinkRequest } from '#web/platform/entry/read-address.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { loadInBackground } from '#web/platform/pwa/chunk-reload.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';

/** Installs the router, the toasts and the session as effects of errors (`perform.ts`). */
export function installEffects({ router, context }: StartedApp): void {
  const { queryClient } = context;
  installErrorEffects({
    toast: showToast,
    navigate: (to, search, detour) => {
      const query = detour ? { ...search, [returnParam]: router.state.location.href } : search;
      // A detour replaces the history entry, because Back would only open the failing page again.
      void router.navigate({ to, search: query, replace: detour });
    },
    endSession: async () => {
      // Loaded together with the API client (`.scripts/chunks.ts`), so it is available for any answer.
      const { expireSession } = await import('#web/domain/auth/log-out.ts');
      if (!getSession()) return;
      expireSession(queryClient);
      const { pathname, href } = router.state.location;
      // other pages work without a session, or show what to do
      if (findPathRow(pathname)?.privacy !== 'private') return;
      void router.navigate({ to: '/login', search: { reason: 'expired', return: href } });
    },
  });
  onReconnect(() => void queryClient.invalidateQueries());
  followLanguage(router, context);
}

/**
 * When the language changes, loaders and heads run again; components stay mounted. A language in the URL is removed,
 * because a reload would restore the old one.
 */
function followLanguage(router: AppRouter, { i18n, queryClient }: RouterContext): void {
  let language = i18n.locale;
  i18n.on('change', () => {
    // More messages of the same language are no change.
    if (i18n.locale === language) return;
    language = i18n.locale;
    // Personal answers contain names in the language of the request, and their keys do not contain it.
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

/** Starts what the first page does not wait for. A change of the language and TV navigation come slightly later too. */
export function startWhenIdle(started: StartedApp, link: LinkRequest | undefined): void {
  const { router, context } = started;
  loadInBackground(
    () => import('./start-background-features.ts'),
    ({ startBackgroundFeatures }) => startBackgroundFeatures(started),
  );
  followLanguageChoice(context.brand.siteConfig.langs, link);
  router.subscribe('onResolved', followArrowsOnTv);
  followArrowsOnTv();
}

/** A page may become a TV page after its start: when a TV opens its orders by their plain URL. */
function followArrowsOnTv(): void {
  if (document.documentElement.dataset.screen) {
    loadInBackground(
      () => import('#web/platform/tv/arrow-keys.ts'),
      ({ followArrows }) => followArrows(),
    );
  }
}

/**
 * The URL may request another language than the page has: the server does not read inside `params`, and the cached
 * shell has no URL. The server may also lack the stored choice (a cleared cookie). A language in the URL is
 * stored like a chosen one, so that the next page and a reload have it too.
 */
function followLanguageChoice(langs: readonly string[], link: LinkRequest | undefined): void {
  const requested = link?.language;
  if (requested !== undefined && langs.includes(requested)) {
    if (requested !== activeLanguage()) void setLanguage(requested);
    else rememberLanguage(requested);
    return;
  }
  const choice = languageKey.get();
  if (choice && choice !== activeLanguage() && langs.includes(choice)) void setLanguage(choice);
}
