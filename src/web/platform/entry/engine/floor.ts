/** Whether this engine lacks one of what `built-ins.ts` brings: the youngest of them in each family of engines. */
export const needsPolyfills = (): boolean =>
  !('canParse' in URL && 'any' in AbortSignal && CSS.supports('selector(:has(a))'));

/**
 * [Note: Floor] Whether an engine is new enough to run the storefront: what came with Chromium 84 (`revert`; the floor is
 * 85 on TVs of 2022), with Firefox 91 (`tab-size`), and with Safari 15.4 (`accent-color`; the font's name tells Safari).
 * The same condition stands in `ui/tokens.css`: below the floor the page tells people to take a phone.
 */
export const floor = '(color: revert) and (tab-size: 4) and ((not (font: -apple-system-body)) or (accent-color: auto))';
