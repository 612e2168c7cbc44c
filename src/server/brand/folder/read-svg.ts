/** An element of a drawing with its namespace, whatever prefix the file uses for it. */
export interface SvgElement {
  /** as written, with its prefix */
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  /**
   * the namespace of the prefix: '' without a prefix and default namespace; undefined where the prefix is not declared
   */
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

/** Why a file is refused: it uses more of XML than a drawing needs, or is not XML. The message is for an operator. */
export class UnreadableSvg extends Error {}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
const messages = {
  markup: 'has a document type, CDATA or a style sheet; leave them out',
  comment: 'has a comment that contains -- or does not end',
  declaration: 'has an XML declaration that is not <?xml version="1.0" encoding="UTF-8"?> at its beginning',
  cdataEnd: 'has ]]> in its text; write > as &gt;',
  notWhole: 'is no whole drawing',
} as const;
/** Drawing programs write a few dozen levels; each may cost a renderer a layer. */
const mostLevels = 64;

// names are ASCII only: a name that a browser accepts and this reader does not would go unchecked; and XML has fewer
// space characters than `\s`
const startTag =
  /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:[ \t\r\n]+[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\r\n]*(\/?)>/y;
const endTag = /<\/([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\r\n]*>/y;
const attribute = /([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;
const declaration =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[Uu][Tt][Ff]-8"|'[Uu][Tt][Ff]-8'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;
const comment = /<!--(?:[^-]|-[^-])*-->/y;
const text = /[^<]+/y;

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Parses a drawing as a browser does, and nothing beyond elements, attributes, comments and text. Throws
 * `UnreadableSvg` for document types, entities, processing instructions and CDATA, because two parsers may read them
 * differently.
 */
export function readSvg(file: string): SvgElement {
  // XML allows no other control characters; NUL means another encoding
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
  if (open.length > 1 || !svg || others.length > 0) throw new UnreadableSvg(messages.notWhole);
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

/** Reads the token at a position; returns its length. */
function readStep(source: string, at: number, open: Scope[]): number {
  const scope = open.at(-1);
  if (!scope) throw new UnreadableSvg('closes more elements than it opens');
  const words = matchAt(text, source, at);
  if (words) {
    if (words[0].includes(']]>')) throw new UnreadableSvg(messages.cdataEnd);
    if (open.length === 1 && /[^ \t\r\n]/.test(words[0])) throw new UnreadableSvg(messages.notWhole);
    scope.element.text += resolved(words[0]);
    return words[0].length;
  }
  const remark = matchAt(comment, source, at);
  if (remark) return remark[0].length;
  const end = matchAt(endTag, source, at);
  if (end) {
    if (open.length === 1 || end[1] !== scope.element.name)
      throw new UnreadableSvg(`closes ${end[1] ?? ''}, which is not open`);
    open.pop();
    return end[0].length;
  }
  const start = matchAt(startTag, source, at);
  if (!start) throw new UnreadableSvg(problemAt(source, at));
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
  assertOnce(
    name,
    pairs.map(({ key }) => key),
  );
  for (const { key, value } of pairs.filter(({ key }) => isDeclaration(key))) {
    const prefix = key.slice('xmlns:'.length);
    if (!mayStandFor(prefix, value)) throw new UnreadableSvg(`has a namespace in ${key} that XML does not allow there`);
    namespaces.set(prefix, value);
  }
  const attributes = pairs
    .filter(({ key }) => !isDeclaration(key))
    .map(({ key, value }) => {
      const { prefix, local } = partsOf(key);
      // an attribute without a prefix has no namespace
      return { name: key, prefix, local, namespace: prefix === '' ? '' : namespaces.get(prefix), value };
    });
  // two prefixes may refer to one namespace
  const known = attributes.filter((one) => one.namespace !== undefined);
  assertOnce(
    name,
    known.map((one) => `${one.namespace} ${one.local}`),
  );
  const { prefix, local } = partsOf(name);
  const namespace = namespaces.get(prefix) ?? (prefix === '' ? '' : undefined);
  return { element: { name, prefix, local, namespace, attributes, children: [], text: '' }, namespaces };
}

const isDeclaration = (key: string) => /^xmlns(:|$)/.test(key);

/** Namespaces in XML 1.0, section 3: `xml` and `xmlns` are reserved, and a prefix must not be undeclared. */
function mayStandFor(prefix: string, namespace: string): boolean {
  if (prefix === 'xmlns' || namespace === xmlnsNamespace) return false;
  return (prefix === 'xml') === (namespace === xmlNamespace) && (prefix === '' || namespace !== '');
}

function assertOnce(element: string, attributes: readonly string[]): void {
  if (new Set(attributes).size < attributes.length) throw new UnreadableSvg(`has an attribute twice in ${element}`);
}

function partsOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(colon, 0)), local: name.slice(colon + 1) };
}

/** Text with its character references resolved; entities of a document type are refused. */
function resolved(written: string): string {
  return written.replaceAll(/&([^;\s&]*;?)/g, (_, body: string) => {
    const character = referredTo(body);
    if (character === undefined)
      throw new UnreadableSvg(`has &${body.slice(0, 20)}, which is not an XML reference; write & as &amp;`);
    return character;
  });
}

/** The character for `#169;`, `#xA9;` or `amp;`; undefined for an invalid reference. */
function referredTo(body: string): string | undefined {
  const [, hex, decimal, name = ''] = /^(?:#x([\da-fA-F]+)|#(\d+)|([a-z]+));$/.exec(body) ?? [];
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  if (decimal !== undefined) return characterOf(Number(decimal));
  return Object.hasOwn(references, name) ? references[name] : undefined;
}

/** The character of a code point; undefined where XML 1.0 does not allow it (section 2.2, Char). */
function characterOf(code: number): string | undefined {
  const isChar =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7_ff) ||
    (code >= 0xe0_00 && code <= 0xff_fd) ||
    (code >= 0x1_00_00 && code <= 0x10_ff_ff);
  return isChar ? String.fromCodePoint(code) : undefined;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function problemAt(source: string, at: number): string {
  const beginning = source.slice(at, at + 6);
  if (beginning.startsWith('<!--')) return messages.comment;
  if (/^<\?xml[\s?]/i.test(beginning)) return messages.declaration;
  if (/^<[!?]/.test(beginning)) return messages.markup;
  return `is no XML in line ${source.slice(0, at).split('\n').length}`;
}
