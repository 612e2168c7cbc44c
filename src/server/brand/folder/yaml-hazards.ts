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
export const unclosed = 'has a bracket that is not closed';

/** What to do about an error of the parser, by its code and a part of its message. */
const remedies: readonly (readonly [code: string, message: RegExp, remedy: string])[] = [
  ['DUPLICATE_KEY', /./, 'is there twice in its block; each must be unique, so remove one of them'],
  ['TAB_AS_INDENT', /./, 'is indented with a tab; write spaces instead'],
  [
    'BAD_INDENT',
    /same column/,
    'does not begin in the same column as the lines that it belongs to; correct its spaces',
  ],
  ['BAD_INDENT', /flow|end with/i, `${unclosed}, or whose lines are not indented`],
  ['BAD_INDENT', /./, 'is not indented as the lines that it belongs to; correct its spaces'],
  ['MISSING_CHAR', /closing ['"]/, 'has a quote that is not closed'],
  ['MISSING_CHAR', /followed by map values/, 'has no colon with a space after it: write name: value'],
  ['MISSING_CHAR', /Missing ,/, 'has no comma between two entries'],
  ['MISSING_CHAR', /space after :/, 'has no space after a colon'],
  ['MISSING_CHAR', /without - indicator/, 'is in a list, where every entry begins with a dash and a space'],
  ['MISSING_CHAR', /end with|expected/i, unclosed],
  ['MISSING_CHAR', /Comments/, 'has a # without a space before it; put the text in quotes'],
  ['BAD_DQ_ESCAPE', /./, 'has a \\ in double quotes, where it means something else; use single quotes'],
  ['MULTILINE_IMPLICIT_KEY', /./, 'has no colon with a space after it: write name: value'],
  ['BLOCK_AS_IMPLICIT_KEY', /./, `has a second colon; ${quoteIt}`],
  ['BAD_SCALAR_START', /./, `begins with a character that means something else in YAML; ${quoteIt}`],
  ['UNEXPECTED_TOKEN', /Unexpected ,|empty item/, 'has a comma too many'],
  ['UNEXPECTED_TOKEN', /at node end/, `goes on after its end, such as a closing quote; ${quoteIt}`],
  ['UNEXPECTED_TOKEN', /./, `has a character that YAML does not expect there; ${quoteIt}`],
  ['BAD_ALIAS', /./, `has a * or & that means something else in YAML; ${quoteIt}`],
  ['MULTIPLE_DOCS', /./, 'begins one of multiple documents; a brand has one, so remove the line ---'],
];

/** The line of an error. A bracket that is not closed is found where the next setting begins, or at the end of the file. */
export function lineOfError(
  { message }: { message: string },
  { first, textOf }: { readonly first: number; readonly textOf: (line: number) => string },
): number {
  if (!/end with/.test(message)) return first;
  for (let line = first; line > 0; line -= 1) {
    const opened = [...textOf(line).matchAll(/[[{]/g)].length;
    if (opened > [...textOf(line).matchAll(/[\]}]/g)].length) return line;
  }
  return first;
}

/** An error of the parser as a sentence for operators. `line` is the line of the file. */
export function parserMessage({ code, message }: { code: string; message: string }, line: string): string {
  const [, , remedy] = remedies.find(([name, words]) => name === code && words.test(message)) ?? [];
  if (remedy === undefined) return `${message}; ${quoteIt}`;
  const plain = line.replace(/[ \t]#[ \t].*$/, '').trim();
  const shown = plain.slice(0, 60);
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && plain.split(/:(?=\s|$)/).length <= 2)
    return `"${shown}" is followed by a line that is indented further; correct its spaces`;
  const [, colour] = /[\s:](#\w+)/.exec(line) ?? [];
  const cut =
    colour === undefined || !remedy.startsWith(unclosed)
      ? ''
      : `: a # begins a comment, so write "${colour}" in quotes`;
  return `${shown === '' ? 'this line' : `"${shown}"`} ${remedy}${cut}`;
}

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
      if (isAlias(node)) return add(offset, aliasFault(node.source));
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

const aliasFault = (source: string): string =>
  source.startsWith('.')
    ? `*${source} is an alias in YAML, and a host has no wildcard; list every host`
    : `*${source} is an alias in YAML; put the text in quotes`;

/** `name: Studio #1` reads as `Studio`; a comment for people has a space after its `#`. */
function cuttingComment({ type, range, source }: Scalar, text: string): string | undefined {
  // without any text before it, the setting is reported as empty
  if (type !== 'PLAIN' || !range || source === '') return undefined;
  return /^[ \t]+(#[^\s#!][^\n\r]*)/.exec(text.slice(range[1], range[1] + 200))?.[1];
}
