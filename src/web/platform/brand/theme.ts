import { createListeners, useStore } from '#web/ui/store.ts';
import { themeKey } from '#web/platform/session/storage/theme-key.ts';
import { activeI18n, activeLanguage } from '#web/platform/i18n/active.ts';
import { brandCss, brandTokens } from './tokens.ts';

/** The customer's choice on this device, or the system's setting (`theme-key.ts`). */
export type Theme = 'system' | 'light' | 'dark';

const { subscribe, tell } = createListeners();
const getTheme = (): Theme => themeKey.get() ?? 'system';

const metas = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];

/** Applies the stored theme, also to the colour of the browser's bars. */
function applyTheme(): void {
  const chosen = themeKey.get();
  const root = document.documentElement;
  if (chosen) root.dataset['theme'] = chosen;
  else delete root.dataset['theme'];
  for (const [index, meta] of metas().entries()) {
    const own = index === 0 ? 'light' : 'dark';
    meta.media = chosen === undefined ? `(prefers-color-scheme: ${own})` : chosen === own ? 'all' : 'not all';
  }
  tell();
}

/** Stores the choice for this device and applies it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') themeKey.remove();
  else themeKey.set(theme);
  applyTheme();
}

/** Applies the choice of another tab. */
export function followTheme(): void {
  applyTheme();
  addEventListener('storage', ({ key }) => key === themeKey.key && applyTheme());
}

export function useTheme(): Theme {
  return useStore({ subscribe, get: getTheme }, 'system');
}

const dark = '(prefers-color-scheme: dark)';

/**
 * The manifest that the browser reads when it installs or updates the app: in the language of the page, and in the
 * system's colour scheme, for phones that support one pair of colours only. A cached page may have been rendered in
 * another language, and a page from a static web server has no such link yet.
 */
function manifestAddress(language: string, isDark: boolean): string {
  return `/manifest.webmanifest?language=${language}${isDark ? '&scheme=dark' : ''}`;
}

function manifestLink(): HTMLLinkElement {
  const found = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (found) return found;
  const link = document.createElement('link');
  link.rel = 'manifest';
  return link;
}

/** Updates the link while the page is open. */
export function followManifest(): void {
  const scheme = matchMedia(dark);
  const link = manifestLink();
  const updateLink = () => {
    const address = manifestAddress(activeLanguage(), scheme.matches);
    if (link.getAttribute('href') !== address) link.setAttribute('href', address);
    if (!link.isConnected) document.head.append(link);
  };
  updateLink();
  scheme.addEventListener('change', updateLink);
  activeI18n().on('change', updateLink);
}

/**
 * Applies the brand's tokens to a page that the server did not render; through the CSSOM, which every content policy
 * allows.
 */
export function applyBrandStyle(themeColor: string): void {
  if (!('adoptedStyleSheets' in document)) return setTokensOnRoot(themeColor);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(brandCss(themeColor));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Sets the tokens of the current theme on the root, where a script cannot create sheets (Firefox before 101, Safari
 * before 16.4).
 */
function setTokensOnRoot(themeColor: string): void {
  const root = document.documentElement;
  const { light, dark } = brandTokens(themeColor);
  const { screen, theme } = root.dataset;
  const isDark = screen === 'TV' || (theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  for (const [name, value] of Object.entries(isDark ? dark : light)) root.style.setProperty(name, value);
}
