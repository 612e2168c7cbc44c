import { activeLanguage } from '#web/platform/i18n/active.ts';
import type { LinkRequest } from '#web/platform/entry/read-address.ts';
import { rememberLanguage } from '#web/platform/i18n/remember-language.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { loadInBackground } from '#web/platform/pwa/chunk-reload.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';
import type { StartedApp } from './boot.tsx';

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
 * shell has no URL. The server may also lack the stored choice (a cleared cookie). A language in the URL applies to
 * this visit; that of an email or of single sign-on is stored.
 */
function followLanguageChoice(langs: readonly string[], link: LinkRequest | undefined): void {
  const requested = link?.language;
  if (requested !== undefined && langs.includes(requested)) {
    if (requested !== activeLanguage()) void setLanguage(requested);
    else if (link?.setsLanguage) rememberLanguage(requested);
    return;
  }
  const choice = languageKey.get();
  if (choice && choice !== activeLanguage() && langs.includes(choice)) void setLanguage(choice);
}
