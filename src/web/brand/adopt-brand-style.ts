import { brandCss } from './tokens.ts';

/** The brand's tokens for a page that the server did not make; through the CSSOM, which every content policy allows. */
export function adoptBrandStyle(themeColor: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(brandCss(themeColor));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
