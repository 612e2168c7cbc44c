/** Color arithmetic of CSS Color 4 (OKLab by Björn Ottosson), only as far as brand tokens need it. */

/** Linear-light sRGB, each 0 to 1 if displayable. */
type Linear = readonly [number, number, number];
/** Lightness 0 to 1, chroma 0 to about 0.37, hue in radians. */
export type Oklch = readonly [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** `#rgb` or `#rrggbb`; undefined for anything else. */
export function parseHex(text: string): Linear | undefined {
  const match = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim());
  if (!match?.[1]) return undefined;
  const digits = match[1].length === 3 ? match[1].replace(/./g, '$&$&') : match[1];
  const channel = (index: number) => toLinear(parseInt(digits.slice(index, index + 2), 16) / 255);
  return [channel(0), channel(2), channel(4)];
}

export function toHex(color: Linear): string {
  const byte = (value: number) => Math.round(Math.min(1, Math.max(0, fromLinear(value))) * 255);
  return `#${color.map((value) => byte(value).toString(16).padStart(2, '0')).join('')}`;
}

export function toOklch([r, g, b]: Linear): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, bb), Math.atan2(bb, a)];
}

function raw([lightness, chroma, hue]: Oklch): Linear {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const shown = (color: Linear) => color.every((value) => value >= -0.0005 && value <= 1.0005);

/** The nearest displayable color: same lightness and hue, as much chroma as possible. */
export function fromOklch([lightness, chroma, hue]: Oklch): Linear {
  let fits = 0;
  let wanted = chroma;
  if (shown(raw([lightness, chroma, hue]))) return raw([lightness, chroma, hue]);
  for (let round = 0; round < 12; round += 1) {
    const middle = (fits + wanted) / 2;
    if (shown(raw([lightness, middle, hue]))) fits = middle;
    else wanted = middle;
  }
  return raw([lightness, fits, hue]);
}

const luminance = (hex: string) => {
  const [r, g, b] = parseHex(hex) ?? [0, 0, 0];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** WCAG contrast of two hex colors, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

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
