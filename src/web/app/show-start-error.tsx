import { createRoot } from 'react-dom/client';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { languages, type Language } from '#contract/fields.ts';
import { theme } from '#contract/site.ts';
import { ErrorPage, NetworkErrorState } from '#web/features/errors/error-page.tsx';
import { callErrorOf, isServerUnreachable } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { applyBrandStyle } from '#web/platform/brand/theme.ts';
import { createI18n } from '#web/platform/i18n/active.ts';
import { loadCatalog } from '#web/platform/i18n/catalogs.ts';
import { onReconnect } from '#web/platform/api/network/network-state.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';

/**
 * Shows why the storefront cannot start, on a page from a static web server, which has no brand. Uses the visitor's
 * language. Where the API is unreachable, the page reloads when it answers; a wrong answer would come again.
 */
export async function showStartError(error: unknown): Promise<void> {
  const language = languageKey.get() ?? browserLanguage();
  const i18n = createI18n(language, await loadCatalog(language));
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  applyBrandStyle('');
  // no layout gives it a margin
  root.style.paddingInline = 'var(--gutter)';
  const callError = callErrorOf(error);
  const isAnswered = callError !== undefined && !isServerUnreachable(callError);
  if (!isAnswered) onReconnect(() => void reloadIfAnswered());
  // ends the start ([Note: Start guard])
  document.documentElement.dataset.hydrated = '';
  createRoot(root).render(
    <MessagesProvider i18n={i18n}>
      {isAnswered ? <ErrorPage report={callError.report} /> : <NetworkErrorState onRetry={() => location.reload()} />}
    </MessagesProvider>,
  );
}

/** The probe may be answered by something else, such as a web server that does not forward the API. */
async function reloadIfAnswered(): Promise<void> {
  try {
    await call(theme, {}, { quiet: true });
  } catch (error) {
    // a refusal is an answer, which the page explains after its reload
    if (isServerUnreachable(error)) return;
  }
  location.reload();
}

function browserLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((language) => preferred.includes(language)) ?? 'en';
}
