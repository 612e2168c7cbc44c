import { fromOklch, parseHex, toHex, toOklch, type Oklch } from './oklch.ts';

/** The theme color of a brand without a valid one. */
export const defaultThemeColor = '#6D3BEB';

/** Parses a color; an invalid one becomes the default. */
export function parseColorOrDefault(text: string): Oklch {
  return toOklch(parseHex(text) ?? parseHex(defaultThemeColor) ?? [0, 0, 0]);
}

export type ColorMode = 'light' | 'dark';

/** Lightness of the page background. */
const lightness: Readonly<Record<ColorMode, number>> = { light: 0.985, dark: 0.165 };

/** Chroma of the brand's greys. */
export const neutralChroma = (chroma: number, mode: ColorMode): number =>
  Math.min(chroma, 0.02) / (mode === 'light' ? 3 : 2);

/** The background color of the brand's pages, also used before the first page loads: six hex digits. */
export function pageColor(themeColor: string, mode: ColorMode): string {
  const [, chroma, hue] = parseColorOrDefault(themeColor);
  return toHex(fromOklch([lightness[mode], neutralChroma(chroma, mode), hue]));
}
