/** An element of a drawing with its namespace, whatever prefix the file has for that. */
export interface SvgElement {
  /** as written, with its prefix */
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  /** undefined where the prefix is not declared; empty where there is none */
  readonly namespace: string | undefined;
  readonly attributes: readonly SvgAttribute[];
  readonly children: SvgElement[];
  text: string;
}

export interface SvgAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly namespace: string | undefined;
  /** with its character references resolved */
  readonly value: string;
}

/** Why a file is not read: it has more of XML than a drawing needs, or is no XML. The message is for an operator. */
export class UnreadableSvg extends Error {}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const markupMessage = 'has a document type, CDATA or a style sheet; leave them out';
/** Programs that draw write a few dozen levels; each may cost a renderer a layer. */
const mostLevels = 64;

// names are ASCII only: what a browser takes for a name and this reader does not would not be looked at
const startTag =
  /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const endTag = /<\/([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*>/y;
const attribute = /([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const declaration =
  /<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/iy;
const comment = /<!--(?:[^-]|-[^-])*-->/y;
const text = /[^<]+/y;

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Reads a drawing as a browser does, and nothing beyond elements, attributes, comments and text. Throws `UnreadableSvg` for
 * document types, entities, processing instructions and CDATA, because two readers may read them differently.
 */
export function readSvg(file: string): SvgElement {
  // XML has no control characters but these; NUL says that the file is in another encoding
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(file))
    throw new UnreadableSvg('is not text in UTF-8');
  const source = file.replace(/^\uFEFF/, '');
  const root = emptyElement();
  const open: Scope[] = [{ element: root, namespaces: new Map([['xml', xmlNamespace]]) }];
  let at = matchAt(declaration, source, 0)?.[0].length ?? 0;
  while (at < source.length) {
    const step = readStep(source, at, open);
    at += step;
  }
  const [svg, ...others] = root.children;
  if (open.length > 1 || !svg || others.length > 0 || root.text.trim() !== '')
    throw new UnreadableSvg('is no whole drawing');
  return svg;
}

interface Scope {
  readonly element: SvgElement;
  readonly namespaces: ReadonlyMap<string, string>;
}

const emptyElement = (): SvgElement => ({
  name: '',
  prefix: '',
  local: '',
  namespace: '',
  attributes: [],
  children: [],
  text: '',
});

/** Reads what begins at a place; returns its length. */
function readStep(source: string, at: number, open: Scope[]): number {
  const scope = open.at(-1);
  if (!scope) throw new UnreadableSvg('closes more elements than it opens');
  const words = matchAt(text, source, at);
  if (words) {
    scope.element.text += resolved(words[0]);
    return words[0].length;
  }
  const remark = matchAt(comment, source, at);
  if (remark) return remark[0].length;
  const end = matchAt(endTag, source, at);
  if (end) {
    if (open.length === 1 || end[1] !== scope.element.name)
      throw new UnreadableSvg(`closes ${end[1] ?? ''} where it is not open`);
    open.pop();
    return end[0].length;
  }
  const start = matchAt(startTag, source, at);
  if (!start) throw new UnreadableSvg(/^<[!?]/.test(source.slice(at, at + 2)) ? markupMessage : problemAt(source, at));
  const [whole, name = '', attributes = '', closed] = start;
  const child = elementOf(name, attributes, scope.namespaces);
  scope.element.children.push(child.element);
  if (closed === '') open.push(child);
  if (open.length > mostLevels)
    throw new UnreadableSvg(`has elements inside of each other, more than ${mostLevels} levels`);
  return whole.length;
}

function elementOf(name: string, written: string, outer: ReadonlyMap<string, string>): Scope {
  const namespaces = new Map(outer);
  const pairs = [...written.matchAll(attribute)].map(([, key = '', double, single]) => ({
    key,
    value: resolved(double ?? single ?? ''),
  }));
  if (new Set(pairs.map(({ key }) => key)).size < pairs.length)
    throw new UnreadableSvg(`has an attribute twice in ${name}`);
  for (const { key, value } of pairs) {
    if (key === 'xmlns') namespaces.set('', value);
    else if (key.startsWith('xmlns:')) namespaces.set(key.slice('xmlns:'.length), value);
  }
  const attributes = pairs
    .filter(({ key }) => !/^xmlns(:|$)/.test(key))
    .map(({ key, value }) => {
      const { prefix, local } = partsOf(key);
      // an attribute without a prefix has no namespace
      return { name: key, prefix, local, namespace: prefix === '' ? '' : namespaces.get(prefix), value };
    });
  const { prefix, local } = partsOf(name);
  const namespace = namespaces.get(prefix) ?? (prefix === '' ? '' : undefined);
  return { element: { name, prefix, local, namespace, attributes, children: [], text: '' }, namespaces };
}

function partsOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(colon, 0)), local: name.slice(colon + 1) };
}

/** Text with its character references resolved; entities of a document type are refused. */
function resolved(written: string): string {
  return written.replaceAll(/&([^;\s&]*;?)/g, (_, body: string) => {
    const [, hex, decimal, name] = /^(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));$/i.exec(body) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = name === undefined ? characterOf(code) : references[name];
    if (character === undefined)
      throw new UnreadableSvg(`has the reference &${body.slice(0, 20)}, which XML does not know`);
    return character;
  });
}

const characterOf = (code: number) => (code >= 0x20 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ');

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function problemAt(source: string, at: number): string {
  return `is no XML in line ${source.slice(0, at).split('\n').length}`;
}
