import { contrast, fromOklch, parseHex, toHex, toOklch, type Oklch } from './oklch.ts';

/** What a brand without a readable colour wears. */
export const defaultThemeColor = '#6D3BEB';

type Tokens = Readonly<Record<`--${string}`, string>>;
export interface BrandTokens {
  readonly light: Tokens;
  readonly dark: Tokens;
}

const textContrast = 4.6;
const controlContrast = 3.1;

/** Lightness and chroma of the surfaces, lines and texts; the hue is the brand's, as a trace. */
const neutrals = {
  light: { page: 0.985, surface: 1, surface2: 0.962, line: 0.91, strong: 0.6, text: 0.22, soft: 0.46, tint: 0.955 },
  dark: { page: 0.165, surface: 0.205, surface2: 0.25, line: 0.31, strong: 0.6, text: 0.955, soft: 0.76, tint: 0.27 },
} as const;
type Mode = keyof typeof neutrals;

const meanings = { danger: [0.19, 0.44], success: [0.15, 2.72], warning: [0.14, 1.2] } as const;

/**
 * All the colours of a brand, from its one (design, "Ground"). The hue stays; lightness moves until text has 4.5:1 and
 * controls have 3:1 on every surface they stand on. Plain hex, so no browser needs to know OKLCH.
 */
export function brandTokens(themeColor: string): BrandTokens {
  const brand = readColor(themeColor);
  return { light: tokensOf(forMode(brand, 'light'), 'light'), dark: tokensOf(forMode(brand, 'dark'), 'dark') };
}

/** Any text as a colour; what is none is the default. */
function readColor(text: string): Oklch {
  return toOklch(parseHex(text) ?? parseHex(defaultThemeColor) ?? [0, 0, 0]);
}

/** A brand of white or black is black on white and white on black; made visible by a nudge, it would be a dull grey. */
function forMode([lightness, chroma, hue]: Oklch, mode: Mode): Oklch {
  const lost = mode === 'light' ? lightness > 0.85 : lightness < 0.4;
  return chroma < 0.03 && lost ? [Math.min(0.96, Math.max(0.2, 1 - lightness)), chroma, hue] : [lightness, chroma, hue];
}

/** The tokens as CSS text for one style block; a TV is always dark. */
export function brandCss(themeColor: string): string {
  const { light, dark } = brandTokens(themeColor);
  const body = (tokens: Tokens) =>
    Object.entries(tokens)
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
  return `:root{${body(light)}}@media (prefers-color-scheme:dark){:root{${body(dark)}}}[data-screen=TV]{${body(dark)}}`;
}

function tokensOf([lightness, chroma, hue]: Oklch, mode: Mode): Tokens {
  const n = neutrals[mode];
  const trace = Math.min(chroma, 0.02) / (mode === 'light' ? 3 : 2);
  const grey = (value: number, factor = 1) => toHex(fromOklch([value, trace * factor, hue]));
  const [page, surface, surface2] = [grey(n.page), grey(n.surface), grey(n.surface2)];
  const surfaces = [page, surface, surface2];
  const away = mode === 'light' ? -1 : 1;
  const reach = (from: Oklch, grounds: readonly string[], least: number) => seek(from, grounds, least, away);

  const brandSoft = toHex(fromOklch([n.tint, Math.min(chroma, mode === 'light' ? 0.04 : 0.05), hue]));
  const brand = reach([lightness, chroma, hue], surfaces, controlContrast);
  const base = readColor(brand);
  const onBrand = contrast(brand, '#ffffff') >= 4.5 ? '#ffffff' : inkOn(brand, hue, trace);
  const hover = onBrand === '#ffffff' ? -0.05 : 0.05;
  const text: Oklch = [mode === 'light' ? Math.min(lightness, 0.55) : Math.max(lightness, 0.72), chroma, hue];
  return {
    '--page': page,
    '--surface': surface,
    '--surface-2': surface2,
    '--line': grey(n.line, 1.5),
    '--line-strong': reach([n.strong, trace * 2, hue], surfaces, controlContrast),
    '--text': grey(n.text, 1.5),
    '--text-soft': reach([n.soft, trace * 2, hue], [...surfaces, brandSoft], textContrast),
    '--brand': brand,
    '--brand-hover': hoverOf(base, hover, onBrand, surfaces),
    '--on-brand': onBrand,
    '--brand-text': reach(text, [...surfaces, brandSoft], textContrast),
    '--brand-soft': brandSoft,
    '--on-brand-soft': reach([n.text, Math.min(chroma, 0.08), hue], [brandSoft], 7),
    '--focus': reach(text, [...surfaces, brandSoft], controlContrast),
    ...meaningTokens(mode, surfaces, away),
  };
}

/** Danger, success and warning keep their own hues, whatever the brand's. */
function meaningTokens(mode: Mode, surfaces: readonly string[], away: number): Tokens {
  const light = mode === 'light';
  return Object.fromEntries(
    Object.entries(meanings).flatMap(([name, [chroma, hue]]) => {
      const soft = toHex(fromOklch([light ? 0.955 : 0.27, light ? 0.03 : 0.05, hue]));
      const strong = seek([light ? 0.52 : 0.76, chroma, hue], [...surfaces, soft], textContrast, away);
      return [
        [`--${name}`, strong],
        [`--${name}-soft`, soft],
      ];
    }),
  );
}

/** Moves lightness away from the surfaces until the contrast is enough on every one of them. */
function seek([start, chroma, hue]: Oklch, grounds: readonly string[], least: number, away: number): string {
  let lightness = start;
  let hex = toHex(fromOklch([lightness, chroma, hue]));
  while (lightness > 0 && lightness < 1 && grounds.some((ground) => contrast(hex, ground) < least)) {
    lightness += away * 0.01;
    hex = toHex(fromOklch([Math.min(1, Math.max(0, lightness)), chroma, hue]));
  }
  return hex;
}

/** Dark words on a bright brand; where even they are too faint, the better of black and white. */
function inkOn(brand: string, hue: number, trace: number): string {
  const ink = toHex(fromOklch([0.2, trace * 2, hue]));
  if (contrast(ink, brand) >= textContrast) return ink;
  return contrast('#000000', brand) > contrast('#ffffff', brand) ? '#000000' : '#ffffff';
}

/** A step darker or lighter, unless that would cost the words or the edge their contrast. */
function hoverOf([lightness, chroma, hue]: Oklch, step: number, onBrand: string, surfaces: readonly string[]): string {
  const color = (by: number) => toHex(fromOklch([Math.min(1, Math.max(0, lightness + by)), chroma, hue]));
  const holds = (hex: string) =>
    contrast(hex, onBrand) >= 4.5 && surfaces.every((ground) => contrast(hex, ground) >= 3);
  return [step, -step].map(color).find(holds) ?? color(0);
}
