import browserslist from 'browserslist';
import { Features } from 'lightningcss';
import cascadeLayers from '@csstools/postcss-cascade-layers';
import mediaRanges from '@csstools/postcss-media-minmax';
import logical from 'postcss-logical';
import type { Plugin, Root } from 'postcss';

/**
 * [Note: Floor of the build] The oldest engines stand in `browserslist` of package.json, and nowhere else: syntax is
 * compiled for them, styles are too, and tests/floor.test.ts looks for what they do not know in what was built.
 */
export const oldest: ReadonlyMap<string, number> = new Map(
  browserslist().map((engine) => {
    const [name = '', version = ''] = engine.split(' ');
    return [name, Number.parseFloat(version)];
  }),
);

const oldestOf = (name: string) => oldest.get(name) ?? 0;

/**
 * What scripts are compiled for. Firefox stands for all: the tables of compilers hold rare bugs of other engines against
 * them and would rewrite every private field and optional chain for those, though they know both. What Chromium learned
 * after Firefox is looked for in the built files.
 */
export const scriptTargets = [`firefox${oldestOf('firefox')}`];

/** Below the floor a page is to be read, by styles alone, down to Chromium 69. */
export const styleTargets = ['chrome69', ...scriptTargets, `safari${oldestOf('safari')}`, `ios${oldestOf('ios_saf')}`];

/** The order of the cascade. Each sheet is compiled by itself, and has to know it. */
const layerOrder = ['reset', 'tokens', 'base', 'ui', 'features'];

function sayOrder(): Plugin {
  return {
    postcssPlugin: 'marquee:layer-order',
    Once: (sheet: Root, { AtRule: Rule }) => {
      sheet.walkRules((rule) => {
        // Layers weigh by ids, and one in a sheet would make that sheet heavier than the others.
        if (rule.selector.includes('#')) throw rule.error('Name an element by a class here, not by an id');
      });
      let layered = false;
      sheet.walkAtRules('layer', () => void (layered = true));
      if (layered) sheet.prepend(new Rule({ name: 'layer', params: layerOrder.join(', ') }));
    },
  };
}

/**
 * Cascade layers become selectors that weigh as much, and logical properties those of a page from left to right, which
 * every language here is written in.
 */
export const stylePlugins = (): Plugin[] => [
  sayOrder(),
  cascadeLayers({ onRevertLayerKeyword: 'warn', onConditionalRulesChangingLayerOrder: 'warn' }) as Plugin, // as: it is one
  // the compiler would write `not (max-width: …)`, which Chromium learned together with ranges (104)
  mediaRanges() as Plugin, // as: it is one
  logical() as Plugin, // as: it is one
];

/** Themes are told apart by the brand's tokens, so nothing has to stand in for `light-dark()`. */
export const untouchedStyles = Features.LightDark;
