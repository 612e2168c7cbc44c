import type { Plugin } from 'vite';

const viewportUnit = /(?<![\w.-])(\d*\.?\d+)v([hw])\b/g;

/**
 * A TV's page is zoomed as a whole by the height of its screen (`--zoom` in `ui/tokens.css`), and CSS zoom scales
 * viewport units too: `5vw` would be 7.5 % of a screen of 1080 lines. So every viewport unit is divided by the zoom,
 * here instead of by hand, so that none is missed. Other screens have no zoom. `dvh` is unchanged: engines without it
 * use the previous declaration, and would not if a variable were in it. Widths in media queries are not zoomed.
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
