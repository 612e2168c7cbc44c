import browserslist from 'browserslist';
import { Features } from 'lightningcss';
import cascadeLayers from '@csstools/postcss-cascade-layers';
import mediaRanges from '@csstools/postcss-media-minmax';
import logical from 'postcss-logical';
import type { Plugin, Root } from 'postcss';
import type { Plugin as VitePlugin } from 'vite';

/**
 * The oldest supported engines, defined only by `browserslist` in package.json: scripts and styles are compiled for
 * them, and tests/floor.test.ts searches the build for features that they lack.
 */
export const minimumVersions: ReadonlyMap<string, number> = new Map(
  browserslist().map((engine) => {
    const [name = '', version = ''] = engine.split(' ');
    return [name, Number.parseFloat(version)];
  }),
);

const oldestOf = (name: string) => minimumVersions.get(name) ?? 0;

/**
 * The target of scripts. Firefox stands for all: compilers count rare bugs of other engines against a feature and would
 * rewrite every private field and optional chain, although all engines support them. The floor test finds features that
 * Chromium got after Firefox.
 */
export const scriptTargets = [`firefox${oldestOf('firefox')}`];

/** Below the floor a page must be legible, by styles alone, down to Chromium 69. */
export const styleTargets = ['chrome69', ...scriptTargets, `safari${oldestOf('safari')}`, `ios${oldestOf('ios_saf')}`];

/** The order of the cascade layers. Each sheet is compiled separately and needs it. */
const layerOrder = ['reset', 'tokens', 'base', 'ui', 'features'];

function addLayerOrder(): Plugin {
  return {
    postcssPlugin: 'marquee:layer-order',
    Once: (sheet: Root, { AtRule: Rule }) => {
      sheet.walkRules((rule) => {
        // Emulated layers use ids for specificity, so an id in a sheet would win over other layers.
        if (rule.selector.includes('#')) throw rule.error('Name an element by a class here, not by an id');
      });
      let layered = false;
      sheet.walkAtRules('layer', () => void (layered = true));
      if (layered) sheet.prepend(new Rule({ name: 'layer', params: layerOrder.join(', ') }));
    },
  };
}

/**
 * Cascade layers become selectors with the same precedence, and logical properties those of left-to-right text, the
 * direction of every supported language.
 */
export const stylePlugins = (): Plugin[] => [
  addLayerOrder(),
  cascadeLayers({ onRevertLayerKeyword: 'warn', onConditionalRulesChangingLayerOrder: 'warn' }) as Plugin, // as: it is one
  // the compiler would write `not (max-width: …)`, which Chromium supports only since ranges (104)
  mediaRanges() as Plugin, // as: it is one
  logical() as Plugin, // as: it is one
];

/** Themes are selected by the brand's tokens, so `light-dark()` needs no fallback. */
export const untouchedStyles = Features.LightDark;

const viewportUnit = /(?<![\w.-])(\d*\.?\d+)v([hw])\b/g;

/**
 * A TV's page is zoomed as a whole by the height of its screen (`--zoom` in `ui/tokens.css`), and CSS zoom scales
 * viewport units too: `5vw` would be 7.5 % of a screen of 1080 lines. So every viewport unit is divided by the zoom,
 * here instead of by hand, so that none is missed. Other screens have no zoom. `dvh` is unchanged: engines without it
 * use the previous declaration, and would not if a variable were in it. Widths in media queries are not zoomed.
 */
export function zoomedViewport(): VitePlugin {
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
