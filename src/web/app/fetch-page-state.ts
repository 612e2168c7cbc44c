import type { Language } from '#contract/fields.ts';
import type { PageState } from '#contract/page.ts';
import { functionConfig, getCountryCode, i18nMessage, langAddress, siteConfig, theme } from '#contract/site.ts';
import { savedStateId } from '#contract/worker.ts';
import { applyBrandStyle } from '#web/platform/brand/theme.ts';
import { call } from '#web/platform/api/client.ts';
import { showScreen } from '#web/platform/entry/screen.ts';
import { chooseClientLanguage } from '#web/platform/i18n/active.ts';
import { readPageState } from './page-state.ts';
import { currentScene } from '#web/platform/entry/scene.ts';

/**
 * Loads the initial state of a page that the server did not render, from the worker's shell or the API, and applies the
 * brand. Shows an error page and returns undefined without a valid answer.
 */
export async function startWithoutServer(preferred: Language | undefined): Promise<PageState | undefined> {
  try {
    const state = readPageState(savedStateId) ?? (await fetchPageState(preferred));
    applyBrand(state);
    return state;
  } catch (error) {
    console.info('The API did not say whose storefront this is.', error);
    const { showStartError } = await import('./show-start-error.tsx');
    await showStartError(error);
    return undefined;
  }
}

function applyBrand({ theme: { themeColor, tenantId }, language }: PageState): void {
  applyBrandStyle(themeColor);
  addLink('icon', `/icons/${encodeURIComponent(tenantId)}/favicon.svg`);
  addLink('manifest', `/manifest.webmanifest?language=${language}`);
  document.documentElement.lang = language;
  showScreen(currentScene());
}

function addLink(rel: string, href: string): void {
  const link = document.createElement('link');
  Object.assign(link, { rel, href });
  document.head.append(link);
}

/**
 * Requests the parts of the server's page state one by one: for a storefront that a static web server delivers, with
 * the operator's own API. A brand may have no messages or pictures of its own.
 */
async function fetchPageState(preferred: Language | undefined): Promise<PageState> {
  const quiet = { quiet: true };
  const [brandTheme, config, country] = await Promise.all([
    call(theme, {}, quiet),
    call(siteConfig, {}, quiet),
    call(getCountryCode, {}, quiet).catch(() => ({ countryCode: '' })),
  ]);
  const requested = preferred && config.langs.includes(preferred) ? preferred : undefined;
  const language =
    requested ?? chooseClientLanguage({ theme: brandTheme, siteConfig: config, countryCode: country.countryCode });
  const [messages, functions] = await Promise.all([
    call(i18nMessage, { query: { language } }, quiet).catch(() => ({})),
    ownFunctionConfig().catch(() => ({
      imgConfig: {},
      webConfig: { brand: brandTheme.name, defaultLang: config.defaultLang },
    })),
  ]);
  return {
    theme: brandTheme,
    siteConfig: config,
    functionConfig: functions,
    messages,
    countryCode: country.countryCode,
    language,
    rendered: false,
    queries: undefined,
  };
}

/** The function config is at the path in `lang/address`; the storefront can parse only its own endpoint. */
async function ownFunctionConfig() {
  const { functionPath } = await call(langAddress, {}, { quiet: true });
  if (functionPath !== functionConfig.path) throw new Error('The function config is kept elsewhere');
  return call(functionConfig, {}, { quiet: true });
}
