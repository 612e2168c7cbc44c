import { isUtf8 } from 'node:buffer';
import { readSvg, UnreadableSvg, type SvgAttribute, type SvgElement } from './read-svg.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Shapes, their colours and their clips (SVG 2). Not `use`, `pattern`, `mask`, `marker` and `filter`: a few nested
 * lines of them keep a renderer and every visitor's browser busy for minutes.
 */
const allowedElements: ReadonlySet<string> = new Set(
  (
    'svg g defs title desc metadata style path rect circle ellipse line polyline polygon ' +
    'linearGradient radialGradient stop clipPath'
  ).split(' '),
);

/** Metadata that editors write; no browser draws or runs it. XHTML and MathML are not included. */
const editorNamespaces: ReadonlySet<string> = new Set([
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://inkscape.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.inkscape.org/namespaces/inkscape',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
]);

/** Gradients inherit stops from others; editors write one level. */
const mostReferences = 4;
/** Shapes of clips, each counted for every element that it clips. */
const mostClippedShapes = 20_000;

const messages = {
  script: 'has an attribute that runs a script',
  elsewhere: 'refers to something elsewhere; draw it as paths',
  style: 'has a style that refers to something elsewhere',
  effect: 'has a mask or a filter; draw it as paths',
  nestedClip: 'has a clip inside of a clip; join their shapes',
  clips: `has more than ${mostClippedShapes} shapes that clip`,
  chain: `has references inside of each other, more than ${mostReferences} levels`,
} as const;

/** Why a drawing must not be served. The check reads the same bytes that every visitor's browser receives. */
export function drawingFaultsOfBytes(bytes: Uint8Array): string[] {
  return isUtf8(bytes)
    ? drawingFaults(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    : ['is not text in UTF-8'];
}

export function drawingFaults(file: string): string[] {
  try {
    const root = readSvg(file);
    return [...faultsOfElements(root), ...faultsOfContent(root)];
  } catch (error) {
    if (error instanceof UnreadableSvg) return [error.message];
    throw error;
  }
}

function* all(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) yield* all(child);
}

function faultsOfElements(root: SvgElement): string[] {
  const others = new Set([...all(root)].filter((element) => !isAllowed(element)).map(({ name }) => name));
  if (root.namespace !== svgNamespace || root.name !== 'svg') others.add(root.name);
  if (others.size === 0) return [];
  return [`has elements other than shapes (${[...others].slice(0, 5).join(', ')}); turn them into paths`];
}

/** Shapes must have no prefix: software that compares names only would not recognize them. */
function isAllowed({ namespace, prefix, local }: SvgElement): boolean {
  if (namespace === svgNamespace) return prefix === '' && allowedElements.has(local);
  return namespace !== undefined && editorNamespaces.has(namespace);
}

function faultsOfContent(root: SvgElement): string[] {
  const elements = [...all(root)];
  const styles = elements.filter(({ local }) => local === 'style').map(({ text }) => text);
  const classes = clippingClasses(styles.join('\n'));
  const found = elements.flatMap(({ attributes }) => attributes.flatMap(faultsOfAttribute));
  if (!styles.every(isSafeSheet) || classes === undefined) found.push(messages.style);
  if (styles.some(hasEffect)) found.push(messages.effect);
  const isClipped = (element: SvgElement) => clipsOf(element, classes ?? new Set());
  const clips = elements.filter(({ local }) => local === 'clipPath');
  if (clips.some((clip) => [...all(clip)].some(isClipped))) found.push(messages.nestedClip);
  const largest = Math.max(0, ...clips.map((clip) => [...all(clip)].length));
  if (elements.filter(isClipped).length * largest > mostClippedShapes) found.push(messages.clips);
  if (hasLongChain(elements)) found.push(messages.chain);
  return [...new Set(found)];
}

function faultsOfAttribute({ name, prefix, local, namespace, value }: SvgAttribute): string[] {
  if (/^on/i.test(local)) return [messages.script];
  if (/^(href|src|base)$/i.test(local))
    return /^#[\w.:-]+$/.test(value.trim()) && local !== 'base' ? [] : [messages.elsewhere];
  if (namespace === undefined) return [`has the prefix of ${name}, which it does not declare`];
  // attributes of editors or of XML itself; a name is not a style
  if (prefix !== '' || /^(id|class|d|data-[\w-]*|aria-[\w-]*)$/.test(local)) return [];
  const found = local === 'style' ? (isSafeStyle(value) ? [] : [messages.style]) : faultsOfPresentation(value);
  const isEffect = local === 'style' ? hasEffect(value) : /^(mask|filter)$/.test(local) && value.trim() !== 'none';
  return isEffect ? [...found, messages.effect] : found;
}

/** Presentation attributes are parsed as CSS. */
function faultsOfPresentation(value: string): string[] {
  const others = value.replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/g, '');
  return /(?:url|image[\w-]*|src|element|cross-fade)\s*\(|\\|@import/i.test(others) ? [messages.style] : [];
}

function hasEffect(style: string): boolean {
  return [...style.matchAll(/(?:^|[^\w-])(?:-webkit-)?(?:mask|filter|backdrop-filter)[\w-]*\s*:\s*([^;}]*)/gi)].some(
    ([, value = '']) => value.trim() !== 'none',
  );
}

/** Whether references form a chain with more levels than allowed, for example a cycle. */
function hasLongChain(elements: readonly SvgElement[]): boolean {
  const targets = new Map<string, Set<string>>();
  for (const { attributes } of elements) {
    const value = (name: string) => attributes.find(({ local }) => local === name)?.value.trim() ?? '';
    const [id, target] = [value('id'), value('href').slice(1)];
    if (target !== '') targets.set(id, (targets.get(id) ?? new Set()).add(target));
  }
  let reached = new Set(targets.keys());
  for (let level = 0; level < mostReferences; level += 1) {
    reached = new Set([...reached].flatMap((id) => [...(targets.get(id) ?? [])]).filter((id) => targets.has(id)));
  }
  return reached.size > 0;
}

/** CSS functions that draw or colour a shape; all others may load something, or are too slow to render. */
const functions: ReadonlySet<string> = new Set(
  'rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy'.split(' '),
);

/** Whether a style refers only to parts of its own drawing. Escapes and at-rules could hide references. */
function isSafeStyle(style: string): boolean {
  const plain = withoutComments(style).replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '');
  if (/[\\@<]|\/\*/i.test(plain)) return false;
  return [...plain.matchAll(/([\w-]*)\s*\(/g)].every(([, name = '']) => functions.has(name.toLowerCase()));
}

/** The same for a style sheet, whose rules must not be nested. */
function isSafeSheet(sheet: string): boolean {
  const plain = withoutComments(sheet);
  // a brace in a string, or an unclosed one, would hide a rule from `clippingClasses`
  const isFlat = /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(plain) && !/(["'])[^"']*[{}][^"']*\1/.test(plain);
  return isFlat && isSafeStyle(sheet);
}

/**
 * Classes whose elements are clipped; undefined where a rule clips by another selector, so that its elements are
 * unknown.
 */
function clippingClasses(style: string): ReadonlySet<string> | undefined {
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
function clipsOf({ attributes }: SvgElement, classes: ReadonlySet<string>): boolean {
  return attributes.some(({ prefix, local, value }) => {
    if (prefix !== '') return false;
    if (local === 'clip-path') return value.trim() !== 'none';
    if (local === 'style') return hasClip(value);
    return local === 'class' && value.split(/\s+/).some((name) => classes.has(name));
  });
}

const hasClip = (declarations: string) => /clip-path\s*:(?!\s*none\s*(?:;|$|!))/i.test(declarations);

const withoutComments = (style: string) => style.replaceAll(/\/\*[\s\S]*?\*\//g, ' ');
