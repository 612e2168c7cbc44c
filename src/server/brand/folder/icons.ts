import { createHash } from 'node:crypto';
import type { Draw, Drawn } from './draw.ts';
import { drawingFaults, drawingFaultsOfBytes } from './drawing-faults.ts';
import type { Problem } from './read-yaml.ts';
import { contrast } from '#contract/oklch.ts';

/** An image of a brand by its URL path. */
export interface Picture {
  readonly path: string;
  readonly type: string;
  /** SHA-256, base64url */
  readonly hash: string;
  /** absent where only the name was read */
  readonly bytes?: Uint8Array;
}

export function pictureOf(path: string, type: string, bytes: Uint8Array): Picture {
  return { path, type, hash: createHash('sha256').update(bytes).digest('base64url'), bytes };
}

/** A background tile with the logo in its centre, in units of 512; `share` is the logo's part of the tile. */
interface Tile {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** of its corners; 0 for systems that crop the icon themselves */
  readonly radius: number;
  readonly share: number;
}

const rounded = 116;
/**
 * A launcher may crop what is outside of a circle of 80 % (W3C Application Manifest, safe zone): the square inside has
 * 56 %.
 */
const safe = 0.56;

const tiles: readonly Tile[] = [
  { name: 'icon-192.png', width: 192, height: 192, radius: rounded, share: 0.64 },
  { name: 'icon-512.png', width: 512, height: 512, radius: rounded, share: 0.64 },
  { name: 'maskable-512.png', width: 512, height: 512, radius: 0, share: safe },
  { name: 'apple-touch-icon.png', width: 180, height: 180, radius: 0, share: 0.62 },
  // the preview of a shared link (Open Graph): 1.91 to 1
  { name: 'share.png', width: 1200, height: 630, radius: 0, share: 0.5 },
];

const onPage: readonly Omit<Tile, 'width' | 'height'>[] = [
  { name: 'icon.svg', radius: rounded, share: 0.64 },
  { name: 'favicon.svg', radius: rounded, share: 0.74 },
];

const mostBytes = 60_000;

/** All icons of a brand, generated from its logo, and the problems with that. */
export async function makeIcons(
  logo: string,
  { tenantId, background, draw }: { readonly tenantId: string; readonly background: string; readonly draw: Draw },
): Promise<{ pictures: Picture[]; problems: Problem[] }> {
  const file = 'logo.svg';
  const refused = faultsOf(logo).map((message) => ({ file, message }));
  if (refused.length > 0) return { pictures: [], problems: refused };
  const at = (name: string) => `/icons/${tenantId}/${name}`;
  try {
    const problems = faultsOnGround(await draw(logo, 128), background).map((message) => ({ file, message }));
    const drawn: Picture[] = [];
    for (const tile of tiles) {
      const { png } = await draw(tileSvg(logo, background, tile), tile.width);
      drawn.push(pictureOf(at(tile.name), 'image/png', new Uint8Array(png)));
    }
    const vectors = onPage.map((tile) => {
      const svg = tileSvg(logo, background, { ...tile, width: 512, height: 512 });
      return pictureOf(at(tile.name), 'image/svg+xml', new TextEncoder().encode(svg));
    });
    // a tile is a new file that is served as well, so it is also checked
    const madeFaults = vectors.flatMap(({ bytes }) => (bytes ? drawingFaultsOfBytes(bytes) : []));
    problems.push(...[...new Set(madeFaults)].map((message) => ({ file, message: `as an icon ${message}` })));
    return { pictures: [...drawn, ...vectors], problems };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { pictures: [], problems: [{ file, message: `cannot be drawn: ${why}` }] };
  }
}

function faultsOf(logo: string): string[] {
  const faults = drawingFaults(logo);
  if (Buffer.byteLength(logo) > mostBytes) faults.push(`has more than ${mostBytes} bytes`);
  const box = viewBoxOf(logo);
  if (!box) faults.push('has no viewBox, so its size is unknown');
  else if (Math.abs(box.width / box.height - 1) > 0.02)
    faults.push(`is ${box.width} by ${box.height}, and must be square`);
  return faults;
}

function viewBoxOf(svg: string): { width: number; height: number } | undefined {
  const [, width, height] =
    /<svg[^>]*\sviewBox\s*=\s*["']\s*[-\d.e]+[\s,]+[-\d.e]+[\s,]+([\d.e]+)[\s,]+([\d.e]+)/.exec(svg) ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** The logo on a background; its own `<svg>` is nested, so that its units stay valid. */
function tileSvg(logo: string, background: string, { width, height, radius, share }: Omit<Tile, 'name'>): string {
  const unit = 512 / Math.min(width, height);
  const [w, h] = [width * unit, height * unit];
  const size = 512 * share;
  const plain = logo.replaceAll(/<!--[\s\S]*?-->/g, '');
  const inner = plain
    .slice(plain.indexOf('<svg'))
    .replace(/^<svg((?:[^>"']|"[^"]*"|'[^']*')*?)\/?>/, (_, attributes: string) => {
      const otherAttributes = attributes.replaceAll(/\s(?:width|height|x|y)\s*=\s*["'][^"']*["']/g, '');
      return `<svg${otherAttributes} x="${(w - size) / 2}" y="${(h - size) / 2}" width="${size}" height="${size}">`;
    })
    .trim();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}"><rect width="${w}" height="${h}" rx="${radius}" fill="${background}"/>${inner}</svg>\n`;
}

const smallest = 3;

export const emptyDrawingMessage = 'is almost blank';

/** Whether a drawing is visible, and has enough contrast with its background. */
function faultsOnGround(seen: Drawn, background: string): string[] {
  const share = shareThatStandsOut(seen, background);
  if (share === undefined) return [emptyDrawingMessage];
  return share < 0.3
    ? [
        `hardly stands out from ${background}: less than a third of it has a contrast of ${smallest} to 1; give icon.background in brand.yaml another colour`,
      ]
    : [];
}

/** The page backgrounds in light and dark mode. */
const grounds = { light: '#ffffff', dark: '#14141b' } as const;

export const isEmpty = (seen: Drawn): boolean => shareThatStandsOut(seen, grounds.light) === undefined;

/** Contrast problems of a drawing that is shown directly on a page, in both modes. */
export function drawingRemarks(seen: Drawn): string[] {
  return Object.entries(grounds).flatMap(([look, ground]) =>
    (shareThatStandsOut(seen, ground) ?? 0) < 0.3
      ? [
          `hardly stands out from a page in the ${look} look: less than a third of it has a contrast of ${smallest} to 1`,
        ]
      : [],
  );
}

/**
 * The share of visible pixels with a contrast of at least 3 to 1 (WCAG 2.2, 1.4.11); undefined where nothing is
 * visible.
 */
function shareThatStandsOut({ pixels, width, height }: Drawn, background: string): number | undefined {
  const colours = new Map<string, number>();
  let seen = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 200) continue;
    seen += 1;
    const colour = `#${[0, 1, 2].map((part) => ((pixels[at + part] ?? 0) & 0xf0).toString(16).padStart(2, '0')).join('')}`;
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  if (seen < width * height * 0.03) return undefined;
  const distinct = [...colours].filter(([colour]) => contrast(colour, background) >= smallest);
  return distinct.reduce((sum, [, count]) => sum + count, 0) / seen;
}
