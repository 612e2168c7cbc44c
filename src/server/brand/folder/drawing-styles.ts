import type { SvgElement } from './read-svg.ts';

/** CSS functions that draw or colour a shape; all others may load something, or are too slow to render. */
const functions: ReadonlySet<string> = new Set(
  'rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy'.split(' '),
);

/** Whether a style refers only to parts of its own drawing. Escapes and at-rules could hide references. */
export function isSafeStyle(style: string): boolean {
  const plain = withoutComments(style).replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '');
  if (/[\\@<]|\/\*/i.test(plain)) return false;
  return [...plain.matchAll(/([\w-]*)\s*\(/g)].every(([, name = '']) => functions.has(name.toLowerCase()));
}

/** The same for a style sheet, whose rules must not be nested. */
export function isSafeSheet(sheet: string): boolean {
  const plain = withoutComments(sheet);
  // a brace in a string, or an unclosed one, would hide a rule from `clippingClasses`
  const isFlat = /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(plain) && !/(["'])[^"']*[{}][^"']*\1/.test(plain);
  return isFlat && isSafeStyle(sheet);
}

/**
 * Classes whose elements are clipped; undefined where a rule clips by another selector, so that its elements are
 * unknown.
 */
export function clippingClasses(style: string): ReadonlySet<string> | undefined {
  const classes = new Set<string>();
  for (const [, selectors = '', body = ''] of withoutComments(style).matchAll(/([^{}]*)\{([^{}]*)\}/g)) {
    if (!hasClip(body)) continue;
    for (const selector of selectors.split(',')) {
      const [, name] = /^\s*\.([\w-]+)\s*$/.exec(selector) ?? [];
      if (name === undefined) return undefined;
      classes.add(name);
    }
  }
  return classes;
}

/** Whether an element is clipped, by an attribute, its style or its class. */
export function clipsOf({ attributes }: SvgElement, classes: ReadonlySet<string>): boolean {
  return attributes.some(({ prefix, local, value }) => {
    if (prefix !== '') return false;
    if (local === 'clip-path') return value.trim() !== 'none';
    if (local === 'style') return hasClip(value);
    return local === 'class' && value.split(/\s+/).some((name) => classes.has(name));
  });
}

const hasClip = (declarations: string) => /clip-path\s*:(?!\s*none\s*(?:;|$|!))/i.test(declarations);

const withoutComments = (style: string) => style.replaceAll(/\/\*[\s\S]*?\*\//g, ' ');
