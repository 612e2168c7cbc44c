import { createRoot } from 'react-dom/client';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { languages, type Language } from '#contract/fields.ts';
import { NetworkErrorState } from '#web/features/errors/error-page.tsx';
import { applyBrandStyle } from '#web/platform/brand/theme.ts';
import { createI18n } from '#web/platform/i18n/active.ts';
import { loadCatalog } from '#web/platform/i18n/catalogs.ts';
import { onReconnect } from '#web/platform/api/network/network-state.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';

/**
 * Shows that the API is unreachable, on a page from a static web server, which has no brand. Uses the visitor's
 * language, and reloads when the API answers.
 */
export async function showUnreachable(): Promise<void> {
  const language = languageKey.get() ?? browserLanguage();
  const i18n = createI18n(language, await loadCatalog(language));
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  applyBrandStyle('');
  const reload = () => location.reload();
  onReconnect(reload);
  // ends the start ([Note: Start guard])
  document.documentElement.dataset.hydrated = '';
  createRoot(root).render(
    <MessagesProvider i18n={i18n}>
      <NetworkErrorState onRetry={reload} />
    </MessagesProvider>,
  );
}

function browserLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((language) => preferred.includes(language)) ?? 'en';
}
