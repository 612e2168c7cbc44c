import type { Language } from '#contract/fields.ts';
import type { PageState } from '#contract/page.ts';
import { functionConfig, getCountryCode, i18nMessage, langAddress, siteConfig, theme } from '#contract/site.ts';
import { savedStateId } from '#contract/worker.ts';
import { applyBrandStyle } from '#web/platform/brand/adopt-brand-style.ts';
import { call } from '#web/platform/api/client.ts';
import { showScreen } from '#web/platform/entry/screen.ts';
import { chooseClientLanguage } from '#web/platform/i18n/remember-language.ts';
import { readPageState } from './page-state.ts';
import { currentScene } from '#web/platform/entry/scene.ts';

/**
 * What a page starts from that the server has not made: what the worker put into the shell, or what the API says. The page
 * then wears the brand. Without an answer it says so; undefined.
 */
export async function startWithoutServer(asked: Language | undefined): Promise<PageState | undefined> {
  try {
    const state = readPageState(savedStateId) ?? (await fetchPageState(asked));
    wear(state);
    return state;
  } catch (error) {
    console.info('The API did not say whose storefront this is.', error);
    const { showUnreachable } = await import('./show-unreachable.tsx');
    await showUnreachable();
    return undefined;
  }
}

function wear({ theme: { themeColor, tenantId }, language }: PageState): void {
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
 * What the server would have put into the page, asked for one by one: for a storefront that a bare web server hands
 * out, with an API of the operator's own behind it. A brand without its own words or pictures is still a brand.
 */
async function fetchPageState(asked: Language | undefined): Promise<PageState> {
  const quiet = { quiet: true };
  const [brandTheme, config, country] = await Promise.all([
    call(theme, {}, quiet),
    call(siteConfig, {}, quiet),
    call(getCountryCode, {}, quiet).catch(() => ({ countryCode: '' })),
  ]);
  const wished = asked && config.langs.includes(asked) ? asked : undefined;
  const language =
    wished ?? chooseClientLanguage({ theme: brandTheme, siteConfig: config, countryCode: country.countryCode });
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

/** The function config lives where `lang/address` says; only our own endpoint's address is known to be parsed. */
async function ownFunctionConfig() {
  const { functionPath } = await call(langAddress, {}, { quiet: true });
  if (functionPath !== functionConfig.path) throw new Error('The function config is kept elsewhere');
  return call(functionConfig, {}, { quiet: true });
}
