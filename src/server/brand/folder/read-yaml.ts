import type * as v from 'valibot';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';

/** What is wrong, and where; a remark is no hindrance. */
export interface Problem {
  readonly file: string;
  readonly line?: number | undefined;
  readonly message: string;
  readonly remark?: true;
}

type Path = readonly (string | number)[];

export interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** the line of what a path leads to, or of what it would stand in */
  lineOf(path: Path): number;
}

/** Reads YAML 1.2, of which JSON is a part, and keeps where everything stands. */
export function readYaml(file: string, text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    file,
    line: lineAt(pos[0]),
    message,
  }));
  return {
    // what does not parse has no value that could be trusted
    value: document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 100 }) as unknown), // any of yaml
    problems,
    lineOf: (path) => lineAt(offsetOf(document, path)),
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

/** What a schema has against a file, by line. */
export function problemsOf(
  issues: readonly v.BaseIssue<unknown>[],
  file: string,
  { lineOf }: Pick<YamlFile, 'lineOf'>,
): Problem[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
    const name = path.map(word).join('.').replaceAll('.[', '[');
    return { file, line: lineOf(path), message: sentence(name, issue) };
  });
}

function sentence(name: string, issue: v.BaseIssue<unknown>): string {
  if (issue.expected === 'never') return `${name} is not known here`;
  if (issue.received === 'undefined') return `${name} is missing`;
  const isOurs = issue.message.startsWith('must ');
  return isOurs
    ? `${name} ${issue.message}`
    : `${name}: expected ${issue.expected ?? 'something else'}, but it is ${issue.received}`;
}
