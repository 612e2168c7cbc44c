import { isAlias, isCollection, isScalar, visit, type Document, type Scalar } from 'yaml';
/** A problem of a file, with its line. */
export interface Located {
  readonly file: string;
  readonly line?: number | undefined;
  readonly message: string;
}

const mostBytes = 1_000_000;
const deepest = 100;

/** Why bytes cannot be read as YAML of a reasonable size; undefined where they can. */
export function unreadable(file: string, bytes: Uint8Array): Located | undefined {
  if (bytes.byteLength > mostBytes) return { file, message: `has more than ${mostBytes} bytes` };
  const { text, badLine } = decodeUtf8(bytes);
  if (badLine !== undefined) {
    return { file, line: badLine, message: 'is not UTF-8 here; save it as UTF-8 in the editor' };
  }
  let depth = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const dashes = /^[ \t]*((?:- )*)/.exec(line)?.[1]?.length ?? 0;
    for (const char of line) depth += /[[{]/.test(char) ? 1 : /[\]}]/.test(char) ? -1 : 0;
    if (depth > deepest || dashes / 2 > deepest) return { file, line: index + 1, message: 'is nested too deeply' };
  }
  return undefined;
}

/** The text of a file, and the first line that is not UTF-8, if any. */
export function decodeUtf8(bytes: Uint8Array): { text: string; badLine?: number } {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = new TextDecoder().decode(bytes);
  if (isUtf16) return { text, badLine: 1 };
  // line by line, because a file may contain the replacement character itself
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const next = bytes.indexOf(10, start);
    const end = next < 0 ? bytes.length : next + 1;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return { text, badLine: line };
    }
    start = end;
  }
  return { text };
}

const quoteIt = 'a text with such characters is put in quotes';
/** Parser errors that are caused by unquoted text. */
const byMissingQuotes = new Set(['BAD_SCALAR_START', 'BLOCK_AS_IMPLICIT_KEY', 'BAD_ALIAS', 'UNEXPECTED_TOKEN']);

/** The parser's message, and how to fix the problem. */
export const parserMessage = ({ code, message }: { code: string; message: string }): string =>
  byMissingQuotes.has(code) ? `${message}; ${quoteIt}` : message;

/**
 * YAML features that a brand's file does not need, because each silently turns a text into another value: `*Acme*` is
 * an alias, `&Acme TV` an anchor, `!Acme` a tag, `%YAML 1.1` makes `yes` a boolean, ` #1` is a comment, and `? [a]` a
 * key that is a list.
 */
export function findYamlHazards(
  document: Document.Parsed,
  text: string,
  at: (offset: number) => Pick<Located, 'file' | 'line'>,
): Located[] {
  const found: Located[] = [];
  const add = (offset: number, message: string) => void found.push({ ...at(offset), message });
  const { yaml } = document.directives;
  if (yaml.explicit === true && yaml.version !== '1.2')
    add(0, `%YAML ${yaml.version} is not known here; remove that line`);
  visit(document, {
    Pair: (_, { key }) => {
      if (isCollection(key))
        add(key.range?.[0] ?? 0, 'a key that is a list or a map is not known here; put it in quotes');
    },
    Node: (_, node) => {
      const offset = node.range?.[0] ?? 0;
      if (isAlias(node)) return add(offset, `*${node.source} is an alias in YAML; put the text in quotes`);
      const anchor = 'anchor' in node ? node.anchor : undefined;
      if (anchor !== undefined) add(offset, `&${anchor} is an anchor in YAML; put the text in quotes`);
      if (node.tag !== undefined && node.tag.startsWith('!'))
        add(offset, `${node.tag} is a tag in YAML; put the text in quotes`);
      const comment = isScalar(node) ? cuttingComment(node, text) : undefined;
      if (comment !== undefined)
        add(offset, `${comment} is a comment in YAML; put the text in quotes, or a space after the #`);
      return undefined;
    },
  });
  return found;
}

/** `name: Studio #1` reads as `Studio`; a comment for people has a space after its `#`. */
function cuttingComment({ type, range }: Scalar, text: string): string | undefined {
  if (type !== 'PLAIN' || !range) return undefined;
  return /^[ \t]+(#[^\s#!][^\n\r]*)/.exec(text.slice(range[1], range[1] + 200))?.[1];
}
