import { loadWire } from '../api/client.ts';
import { activeLanguage } from '../i18n/active.ts';
import { setLanguage } from '../i18n/set-language.ts';
import { watchOtherTabs } from '../session/other-tabs.ts';
import { languageKey } from '../storage/keys.ts';
import type { Started } from './boot.tsx';

/** What no page waits for: other tabs, the stored language, the service worker, analytics. */
export function startWhenIdle({ router, context }: Started): void {
  void loadWire();
  void import('../i18n/refresh-wording.ts').then(({ refreshWording }) => refreshWording());
  watchOtherTabs();
  followStoredLanguage(context.brand.siteConfig.langs);
  void import('../pwa/register.ts').then(({ installWorker }) => installWorker(activeLanguage));
  void import('../analytics/start-analytics.ts').then(({ startAnalytics }) => startAnalytics(router));
}

/**
 * The server could not see the stored choice (a cleared cookie), or the address asked for another language: an address
 * that names one wins for this visit, else the choice does.
 */
function followStoredLanguage(langs: readonly string[]): void {
  const choice = languageKey.get();
  const search = new URLSearchParams(location.search);
  if (!choice || choice === activeLanguage() || !langs.includes(choice)) return;
  if (search.has('language') || search.has('la')) return;
  void setLanguage(choice);
}
