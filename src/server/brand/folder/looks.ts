import { contrast } from '#contract/oklch.ts';
import type { Drawn } from './draw.ts';

const smallest = 3;

export const emptyWords = 'has next to nothing to see';

/** Whether a drawing is visible, and has enough contrast with its background. */
export function faultsOnGround(seen: Drawn, background: string): string[] {
  const share = shareThatStandsOut(seen, background);
  if (share === undefined) return [emptyWords];
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
