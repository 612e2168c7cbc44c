import type * as v from 'valibot';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { decodeUtf8, hazards, parserMessage, unreadable, type Located } from './yaml-hazards.ts';

/** A problem and its place; a remark does not prevent applying the folder. */
export interface Problem extends Located {
  readonly remark?: true;
}

export type Path = readonly (string | number)[];

export interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** the line of the value at a path, or of its nearest parent */
  lineOf(path: Path): number;
  /** an unquoted value: as parsed by YAML, and as written */
  scalarAt(path: Path): { readonly value: unknown; readonly source: string } | undefined;
}

/** Parses YAML 1.2, which includes JSON, with the line of every value. */
export function readYaml(file: string, bytes: Uint8Array): YamlFile {
  const bad = unreadable(file, bytes);
  if (bad) return { value: undefined, problems: [bad], lineOf: () => bad.line ?? 1, scalarAt: () => undefined };
  const lines = new LineCounter();
  const { text } = decodeUtf8(bytes);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const at = (offset: number) => ({ file, line: lineAt(offset) });
  const parsing = [...document.errors, ...document.warnings].map((error) => ({
    ...at(error.pos[0]),
    message: parserMessage(error),
  }));
  const problems: Problem[] = [...parsing, ...hazards(document, text, at)];
  const isBad = problems.some(({ remark }) => !remark);
  return {
    // an invalid file has no trustworthy value
    value: isBad ? undefined : (document.toJS({ maxAliasCount: 0 }) as unknown), // as: any type of YAML
    problems,
    lineOf: (path) => lineAt(offsetOf(document, path)),
    scalarAt: (path) => {
      const node = document.getIn(path, true);
      return isScalar(node) && node.type === 'PLAIN' ? { value: node.value, source: node.source ?? '' } : undefined;
    },
  };
}

function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    const found: unknown = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(step))
      : isSeq(node)
        ? node.items[Number(step)]
        : undefined;
    if (found === undefined) break;
    offset = startOf(isPair(found) ? found.key : found) ?? offset;
    node = isPair(found) ? found.value : found;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  if (!(isScalar(node) || isMap(node) || isSeq(node))) return undefined;
  return node.range?.[0];
}

const word = (step: unknown) => (typeof step === 'number' ? `[${step}]` : String(step));

/** The issues of a schema, by line of the file. */
export function problemsOf(
  issues: readonly v.BaseIssue<unknown>[],
  file: string,
  { lineOf, scalarAt }: Pick<YamlFile, 'lineOf' | 'scalarAt'>,
): Problem[] {
  return issues.map((issue) => {
    const path = pathOf(issue);
    const name = path.map(word).join('.').replaceAll('.[', '[');
    return { file, line: lineOf(path), message: sentence(name, issue, scalarAt(path)) };
  });
}

export const pathOf = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));

function sentence(name: string, issue: v.BaseIssue<unknown>, scalar: ReturnType<YamlFile['scalarAt']>): string {
  if (issue.expected === 'never') return `${name} is not known here`;
  if (issue.received === 'undefined') return `${name} is missing`;
  if (scalar?.source === '') return `${name} is empty; a text that begins with # is put in quotes`;
  const wantsText = issue.expected === null || !/^(number|boolean|Array|Object)$/.test(issue.expected);
  if (scalar && wantsText && (typeof scalar.value === 'boolean' || scalar.value === null))
    return `${name}: ${scalar.source} is no text in YAML; put it in quotes`;
  const isOurs = issue.message.startsWith('must ');
  return isOurs
    ? `${name} ${issue.message}`
    : `${name}: expected ${issue.expected ?? 'something else'}, but it is ${issue.received}`;
}
