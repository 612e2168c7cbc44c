import { brandCss, brandTokens } from './tokens.ts';

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
