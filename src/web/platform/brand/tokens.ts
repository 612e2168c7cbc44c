import {
  contrast,
  fromOklch,
  toHex,
  type Oklch,
  pageColor,
  parseColorOrDefault,
  neutralChroma,
  type ColorMode,
} from '#contract/oklch.ts';

type Tokens = Readonly<Record<`--${string}`, string>>;
interface BrandTokens {
  readonly light: Tokens;
  readonly dark: Tokens;
}

const textContrast = 4.6;
const controlContrast = 3.1;

/** Lightness and chroma of the surfaces, lines and texts; they have a trace of the brand's hue. */
const neutrals = {
  light: { surface: 1, surface2: 0.962, line: 0.91, strong: 0.6, text: 0.22, soft: 0.46, tint: 0.955 },
  dark: { surface: 0.205, surface2: 0.25, line: 0.31, strong: 0.6, text: 0.955, soft: 0.76, tint: 0.27 },
} as const;

const meanings = { danger: [0.19, 0.44], success: [0.15, 2.72], warning: [0.14, 1.2] } as const;

/**
 * All colours of a brand, derived from its theme colour. The hue stays; lightness changes until text has 4.5:1 and
 * controls have 3:1 on every surface below them. Plain hex, so that no browser needs OKLCH.
 */
export function brandTokens(themeColor: string): BrandTokens {
  const brand = parseColorOrDefault(themeColor);
  const tokens = (mode: ColorMode) => tokensOf(forMode(brand, mode), mode, pageColor(themeColor, mode));
  return { light: tokens('light'), dark: tokens('dark') };
}

/** Inverts a white or black brand where it would be invisible; a slight change would make it a dull grey. */
function forMode([lightness, chroma, hue]: Oklch, mode: ColorMode): Oklch {
  const lost = mode === 'light' ? lightness > 0.85 : lightness < 0.4;
  return chroma < 0.03 && lost ? [Math.min(0.96, Math.max(0.2, 1 - lightness)), chroma, hue] : [lightness, chroma, hue];
}

/** For visitors who prefer more contrast: soft text as strong as other text (7:1), faint lines as strong as edges. */
const moreContrast =
  '@media (prefers-contrast:more){:root:root{--text-soft:var(--text);--brand-text:var(--on-brand-soft);--line:var(--line-strong)}}';

/** The tokens as CSS for one style element: by the system's setting, or by the chosen theme; a TV is always dark. */
export function brandCss(themeColor: string): string {
  const { light, dark } = brandTokens(themeColor);
  const body = (tokens: Tokens) =>
    Object.entries(tokens)
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
  const inTheDark = body(dark);
  return `:root{${body(light)}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${inTheDark}}}[data-theme=dark],[data-screen=TV]{${inTheDark}}${moreContrast}`;
}

function tokensOf([lightness, chroma, hue]: Oklch, mode: ColorMode, page: string): Tokens {
  const n = neutrals[mode];
  const trace = neutralChroma(chroma, mode);
  const grey = (value: number, factor = 1) => toHex(fromOklch([value, trace * factor, hue]));
  const [surface, surface2] = [grey(n.surface), grey(n.surface2)];
  const surfaces = [page, surface, surface2];
  const away = mode === 'light' ? -1 : 1;
  const reach = (from: Oklch, grounds: readonly string[], minContrast: number) =>
    seek(from, grounds, minContrast, away);

  const brandSoft = toHex(fromOklch([n.tint, Math.min(chroma, mode === 'light' ? 0.04 : 0.05), hue]));
  const seen = reach([lightness, chroma, hue], surfaces, controlContrast);
  const brand = shadeForWhite(seen, lightness, surfaces) ?? seen;
  const base = parseColorOrDefault(brand);
  const onBrand = contrast(brand, '#ffffff') >= 4.5 ? '#ffffff' : inkOn(brand, hue, trace);
  const art = artOf([lightness, chroma, hue], mode);
  const hover = onBrand === '#ffffff' ? -0.05 : 0.05;
  // darkened only for a visible edge: the surface below text is as bright as the brand's colour, within that edge
  const fill = onBrand === '#ffffff' ? brand : toHex(fromOklch([lightness, chroma, hue]));
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
    '--fill': fill,
    '--brand-hover': fill === brand ? hoverOf(base, hover, onBrand, surfaces) : brighter(fill),
    '--on-brand': onBrand,
    '--brand-text': reach(text, [...surfaces, brandSoft], textContrast),
    '--brand-soft': brandSoft,
    '--on-brand-soft': reach([n.text, Math.min(chroma, 0.08), hue], [brandSoft], 7),
    '--art': art,
    '--on-art': contrast(art, '#ffffff') >= controlContrast ? '#ffffff' : inkOn(art, hue, trace),
    '--focus': reach(text, [...surfaces, brandSoft], controlContrast),
    ...meaningTokens(mode, surfaces, away),
  };
}

/** Danger, success and warning have their own hues, independent of the brand's. */
function meaningTokens(mode: ColorMode, surfaces: readonly string[], away: number): Tokens {
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

/** Changes lightness away from the surfaces until the contrast suffices on every one of them. */
function seek([start, chroma, hue]: Oklch, grounds: readonly string[], minContrast: number, away: number): string {
  let lightness = start;
  let hex = toHex(fromOklch([lightness, chroma, hue]));
  while (lightness > 0 && lightness < 1 && grounds.some((ground) => contrast(hex, ground) < minContrast)) {
    lightness += away * 0.01;
    hex = toHex(fromOklch([Math.min(1, Math.max(0, lightness)), chroma, hue]));
  }
  return hex;
}

/** By how much lightness a brand's colour may be darkened so that white text is legible on it. */
const maxDarkening = 0.135;

/**
 * The colour itself, or a slightly darker shade on which white text has 4.5:1; undefined for a bright colour, which
 * gets dark text. `lightness` is the brand's own, because a colour that was darkened to be visible was bright.
 */
function shadeForWhite(seen: string, lightness: number, surfaces: readonly string[]): string | undefined {
  const [from, chroma, hue] = parseColorOrDefault(seen);
  for (let value = from; value >= Math.min(from, lightness) - maxDarkening; value -= 0.005) {
    const shade = value === from ? seen : toHex(fromOklch([value, chroma, hue]));
    if (contrast(shade, '#ffffff') < 4.5) continue;
    const isSeen = surfaces.every((ground) => contrast(shade, ground) >= 3);
    return isSeen && lightness - value <= maxDarkening ? shade : undefined;
  }
  return undefined;
}

/** Range of lightness in which a large area of a picture is neither too dark nor too bright. */
const ofPictures = { light: [0.54, 0.8], dark: [0.5, 0.72] } as const;

/** The brand's colour for pictures, within a lightness on which drawings are visible. */
function artOf([lightness, chroma, hue]: Oklch, mode: ColorMode): string {
  const [darkest, brightest] = ofPictures[mode];
  return toHex(fromOklch([Math.min(brightest, Math.max(darkest, lightness)), chroma, hue]));
}

/** Dark text on a bright brand; where its contrast is too low, the better of black and white. */
function inkOn(brand: string, hue: number, trace: number): string {
  const ink = toHex(fromOklch([0.2, trace * 2, hue]));
  if (contrast(ink, brand) >= textContrast) return ink;
  return contrast('#000000', brand) > contrast('#ffffff', brand) ? '#000000' : '#ffffff';
}

/** Between a bright colour and white, which increases the contrast of dark text. */
function brighter(hex: string): string {
  const [lightness, chroma, hue] = parseColorOrDefault(hex);
  return toHex(fromOklch([(lightness + 1) / 2, chroma * 0.8, hue]));
}

/** A step darker or lighter, unless the contrast of the text or the edge would be too low. */
function hoverOf([lightness, chroma, hue]: Oklch, step: number, onBrand: string, surfaces: readonly string[]): string {
  const color = (by: number) => toHex(fromOklch([Math.min(1, Math.max(0, lightness + by)), chroma, hue]));
  const isLegible = (hex: string) =>
    contrast(hex, onBrand) >= 4.5 && surfaces.every((ground) => contrast(hex, ground) >= 3);
  return [step, -step].map(color).find(isLegible) ?? color(0);
}
