import type { Plugin } from 'vite';

const viewportUnit = /(?<![\w.-])(\d*\.?\d+)v([hw])\b/g;

/**
 * [Note: TV scale] A TV's page is zoomed as a whole by the height of its screen (`--zoom` in `ui/tokens.css`), and CSS
 * zoom takes lengths of the viewport with it: `5vw` would be 7.5 % of a screen of 1080 lines. So each of them is divided by
 * the zoom again, here and not by hand, so that none is forgotten. Elsewhere nothing is zoomed. `dvh` stays as it is: engines
 * that lack it fall back on the declaration before, and would not where a variable stands in it. Widths in a media query are
 * the screen's own.
 */
export function zoomedViewport(): Plugin {
  return {
    name: 'marquee:zoomed-viewport',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css(?:\?|$)/ },
      handler: (css) => ({ code: divideByZoom(css), map: null }),
    },
  };
}

export function divideByZoom(css: string): string {
  return css.replaceAll(/\/\*.*?\*\/|@[^{;]*|[^@/]+|./gs, (part) =>
    part.startsWith('@') || part.startsWith('/*')
      ? part
      : part.replaceAll(viewportUnit, 'calc($1v$2 / var(--zoom, 1))'),
  );
}
