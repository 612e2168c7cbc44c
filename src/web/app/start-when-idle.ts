import { loadWire } from '../api/client.ts';
import { activeLanguage } from '../i18n/active.ts';
import type { AskedByLink } from '../entry/read-address.ts';
import { rememberLanguage } from '../i18n/remember-language.ts';
import { setLanguage } from '../i18n/set-language.ts';
import { languageKey } from '../storage/keys.ts';
import type { Started } from './boot.tsx';

/** What no page waits for: other tabs, the language, the service worker, analytics, the sign that a page is coming, the arrows of a remote control. */
export function startWhenIdle({ router, context }: Started, asked: AskedByLink | undefined): void {
  void loadWire();
  void import('../i18n/refresh-wording.ts').then(({ refreshWording }) => refreshWording());
  void import('../session/other-tabs.ts').then(({ watchOtherTabs }) => watchOtherTabs(context.queryClient));
  followLanguageChoice(context.brand.siteConfig.langs, asked);
  router.subscribe('onResolved', followArrowsOnTv);
  followArrowsOnTv();
  void import('../pwa/register.ts').then(({ installWorker }) => installWorker(activeLanguage));
  void import('./show-moving.ts').then(({ showMoving }) => showMoving(router));
  void import('../analytics/start-analytics.ts').then(({ startAnalytics }) => startAnalytics(router));
}

/** A page may become a TV's after it has started: where the box's orders are opened by their plain address. */
function followArrowsOnTv(): void {
  if (document.documentElement.dataset.screen) {
    void import('./arrow-keys.ts').then(({ followArrows }) => followArrows());
  }
}

/**
 * The address may ask for another language than the page came in (the server does not read what is inside `params`, and
 * the kept shell knows no address), and the server may not have seen the stored choice (a cleared cookie). An address
 * that names a language wins for this visit; that of a mail or of single sign-on becomes the choice (spec 2).
 */
function followLanguageChoice(langs: readonly string[], asked: AskedByLink | undefined): void {
  const told = asked?.language;
  if (told !== undefined && langs.includes(told)) {
    if (told !== activeLanguage()) void setLanguage(told);
    else if (asked?.setsLanguage) rememberLanguage(told);
    return;
  }
  const choice = languageKey.get();
  if (choice && choice !== activeLanguage() && langs.includes(choice)) void setLanguage(choice);
}
