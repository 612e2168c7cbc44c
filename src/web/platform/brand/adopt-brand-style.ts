import { brandCss, brandTokens } from './tokens.ts';

/** The brand's tokens for a page that the server did not make; through the CSSOM, which every content policy allows. */
export function applyBrandStyle(themeColor: string): void {
  if (!('adoptedStyleSheets' in document)) return wearNow(themeColor);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(brandCss(themeColor));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Where sheets cannot be made by a script (Firefox before 101, Safari before 16.4): the tokens of this moment. */
function wearNow(themeColor: string): void {
  const root = document.documentElement;
  const { light, dark } = brandTokens(themeColor);
  const { screen, theme } = root.dataset;
  const isDark = screen === 'TV' || (theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  for (const [name, value] of Object.entries(isDark ? dark : light)) root.style.setProperty(name, value);
}
