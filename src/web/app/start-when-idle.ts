import { activeLanguage } from '#web/platform/i18n/active.ts';
import type { LinkRequest } from '#web/platform/entry/read-address.ts';
import { rememberLanguage } from '#web/platform/i18n/remember-language.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';
import type { Started } from './boot.tsx';

/** What no page waits for. Who asked for another language, or holds a remote control, waits a little. */
export function startWhenIdle(started: Started, asked: LinkRequest | undefined): void {
  const { router, context } = started;
  void import('./start-later.ts').then(({ startLater }) => startLater(started));
  followLanguageChoice(context.brand.siteConfig.langs, asked);
  router.subscribe('onResolved', followArrowsOnTv);
  followArrowsOnTv();
}

/** A page may become a TV's after it has started: where the box's orders are opened by their plain address. */
function followArrowsOnTv(): void {
  if (document.documentElement.dataset.screen) {
    void import('#web/platform/tv/arrow-keys.ts').then(({ followArrows }) => followArrows());
  }
}

/**
 * The address may ask for another language than the page came in (the server does not read what is inside `params`, and
 * the kept shell knows no address), and the server may not have seen the stored choice (a cleared cookie). An address
 * that names a language wins for this visit; that of a mail or of single sign-on becomes the choice.
 */
function followLanguageChoice(langs: readonly string[], asked: LinkRequest | undefined): void {
  const told = asked?.language;
  if (told !== undefined && langs.includes(told)) {
    if (told !== activeLanguage()) void setLanguage(told);
    else if (asked?.setsLanguage) rememberLanguage(told);
    return;
  }
  const choice = languageKey.get();
  if (choice && choice !== activeLanguage() && langs.includes(choice)) void setLanguage(choice);
}
