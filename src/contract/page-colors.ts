import { fromOklch, parseHex, toHex, toOklch, type Oklch } from './oklch.ts';

/** What a brand without a readable colour wears. */
export const defaultThemeColor = '#6D3BEB';

/** Any text as a colour; what is none is the default. */
export function readColor(text: string): Oklch {
  return toOklch(parseHex(text) ?? parseHex(defaultThemeColor) ?? [0, 0, 0]);
}

export type ColorMode = 'light' | 'dark';

/** The lightness of the page itself. */
const lightness: Readonly<Record<ColorMode, number>> = { light: 0.985, dark: 0.165 };

/** How much of the brand's colour its greys carry. */
export const traceOf = (chroma: number, mode: ColorMode): number => Math.min(chroma, 0.02) / (mode === 'light' ? 3 : 2);

/** What a page of the brand is painted on, and what the phone shows before there is a page: six digits of hex. */
export function pageColor(themeColor: string, mode: ColorMode): string {
  const [, chroma, hue] = readColor(themeColor);
  return toHex(fromOklch([lightness[mode], traceOf(chroma, mode), hue]));
}
