/** Whether this engine lacks a feature that `built-ins.ts` adds: tests the newest of them in each family of engines. */
export const needsPolyfills = (): boolean =>
  !('canParse' in URL && 'any' in AbortSignal && CSS.supports('selector(:has(a))'));

/**
 * Whether an engine is new enough to run the storefront, by features of Chromium 84 (`revert`; the floor is 85 on TVs
 * of 2022), Firefox 91 (`tab-size`) and Safari 15.4 (`accent-color`; the font's name identifies Safari).
 * `ui/tokens.css` contains the same condition: below the floor the page asks the visitor to use a phone.
 */
export const supportedEngineCondition =
  '(color: revert) and (tab-size: 4) and ((not (font: -apple-system-body)) or (accent-color: auto))';
