import type { Language } from '../../contract/fields.ts';
import type { PageState } from '../../contract/page.ts';
import { functionConfig, getCountryCode, i18nMessage, langAddress, siteConfig, theme } from '../../contract/site.ts';
import { adoptBrandStyle } from '../brand/adopt-brand-style.ts';
import { call } from '../api/client.ts';
import { showScreen } from '../entry/screen.ts';
import { chooseClientLanguage } from '../i18n/choose-client-language.ts';

/**
 * What the server would have put into the page, asked for one by one: for a storefront that a bare web server hands
 * out, with an API of the operator's own behind it. A brand without its own words or pictures is still a brand.
 */
export async function fetchPageState(asked: Language | undefined): Promise<PageState> {
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
  adoptBrandStyle(brandTheme.themeColor);
  showScreen();
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
