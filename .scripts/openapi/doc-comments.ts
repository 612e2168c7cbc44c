import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/**
 * Keeps the doc comments of the contract at runtime, for the OpenAPI description. A comment before a property or an
 * exported constant belongs to its value. The contract itself has no descriptions, because browsers would load them.
 */

type Documented = Readonly<Record<string, unknown>>;

/** Of constants, such as endpoints and schemas. */
const ofConstants = new WeakMap<object, string>();
/** Of the properties of an object literal, such as the entries of a schema. */
const ofProperties = new WeakMap<object, Map<string, string>>();

const plain = (comment: string) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    // a longer explanation elsewhere in the sources
    .replaceAll(/\s*\(?\[Note: [^\]]+\]\)?:?/g, '')
    .trim();

/** The comment of a schema or an endpoint. */
export const commentOf = (value: object): string | undefined => ofConstants.get(value);

/** The comment of one entry of a schema. */
export const commentOfEntry = (entries: object, name: string): string | undefined =>
  ofProperties.get(entries)?.get(name);

const recorders = {
  constant(value: unknown, comment: string) {
    if (typeof value === 'object' && value !== null && !ofConstants.has(value)) ofConstants.set(value, comment);
    return value;
  },
  properties(value: Documented, comments: Readonly<Record<string, string>>) {
    ofProperties.set(value, new Map(Object.entries(comments)));
    return value;
  },
};

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The source with calls that record its doc comments. */
function recording(file: string, source: string): string {
  const { program, comments } = parseSync(file, source);
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const before = (start: number) => docs.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
  const insertions: Insertion[] = [];
  const wrap = (node: { start: number; end: number }, recorder: keyof typeof recorders, comment: unknown) => {
    insertions.push({ at: node.start, text: `__docs.${recorder}(` });
    insertions.push({ at: node.end, text: `, ${JSON.stringify(comment)})` });
  };
  new Visitor({
    ExportNamedDeclaration({ start, declaration }) {
      const comment = before(start);
      if (!comment || declaration?.type !== 'VariableDeclaration') return;
      const [first] = declaration.declarations;
      if (first?.init) wrap(first.init, 'constant', plain(comment.value));
    },
    ObjectExpression(node) {
      const found = node.properties.flatMap((property) => {
        const comment = before(property.start);
        const named =
          property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : undefined;
        return comment && named !== undefined ? [[named, plain(comment.value)] as const] : [];
      });
      if (found.length > 0) wrap(node, 'properties', Object.fromEntries(found));
    },
  }).visit(program);
  return insert(source, insertions);
}

function insert(source: string, insertions: readonly Insertion[]): string {
  const sorted = insertions
    .map((one, order) => ({ ...one, order }))
    // nested calls open from the outside and close from the inside
    .toSorted((a, b) => a.at - b.at || (a.text.startsWith(',') ? b.order - a.order : a.order - b.order));
  let end = 0;
  const parts = sorted.flatMap(({ at, text }) => {
    const part = source.slice(end, at);
    end = at;
    return [part, text];
  });
  return [...parts, source.slice(end)].join('');
}

/** Has to be called before the first import of the contract. */
export function keepDocComments(): void {
  Object.assign(globalThis, { __docs: recorders });
  registerHooks({
    load(url, context, next) {
      if (!/\/src\/contract\/[\w-]+\.ts$/.test(url)) return next(url, context);
      const file = fileURLToPath(url);
      return { format: 'module-typescript', source: recording(file, readFileSync(file, 'utf8')), shortCircuit: true };
    },
  });
}
