import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import {
  decodeUtf8,
  findYamlHazards,
  lineOfError,
  parserMessage,
  unclosed,
  unreadable,
  type Located,
} from './yaml-hazards.ts';
import { exponent, isKnownCurrency } from '#contract/money.ts';
import { nameOf, sentencesOf } from './sentences.ts';
import * as v from 'valibot';

/** A problem and its place; a remark does not prevent applying the folder. */
export interface Problem extends Located {
  readonly remark?: true;
}

export type Path = readonly (string | number)[];

interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** the line of the value at a path, or of its nearest parent */
  lineOf(path: Path): number;
  /** a line as written; the first is 1 */
  textOf(line: number): string;
  /** an unquoted value: as parsed by YAML, and as written */
  scalarAt(path: Path): { readonly value: unknown; readonly source: string } | undefined;
}

/** Parses YAML 1.2, which includes JSON, with the line of every value. */
export function readYaml(file: string, bytes: Uint8Array): YamlFile {
  const bad = unreadable(file, bytes);
  if (bad) {
    const unread = { lineOf: () => bad.line ?? 1, scalarAt: () => undefined, textOf: () => '' };
    return { value: undefined, problems: [bad], ...unread };
  }
  const lines = new LineCounter();
  const { text } = decodeUtf8(bytes);
  const textOf = (line: number) => text.split(/\r?\n/)[line - 1] ?? '';
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const at = (offset: number) => ({ file, line: lineAt(offset) });
  const parsing = [...document.errors, ...document.warnings].map((error) => {
    const line = lineOfError(error, { first: lineAt(error.pos[0]), textOf });
    return { file, line, message: parserMessage(error, textOf(line)) };
  });
  const problems: Problem[] = [...firstOfEachLine(parsing), ...findYamlHazards(document, text, at)];
  const isBad = problems.some(({ remark }) => !remark);
  return {
    // an invalid file has no trustworthy value
    value: isBad ? undefined : (document.toJS({ maxAliasCount: 0 }) as unknown), // as: any type of YAML
    problems,
    lineOf: (path) => lineAt(offsetOf(document, path)),
    textOf,
    scalarAt: (path) => {
      const node = document.getIn(path, true);
      return isScalar(node) && node.type === 'PLAIN' ? { value: node.value, source: node.source ?? '' } : undefined;
    },
  };
}

/** The parser reports what follows from a mistake, too: on the same line, and after a bracket that is not closed. */
function firstOfEachLine(problems: readonly Located[]): Located[] {
  const open = problems.find(({ message }) => message.includes(unclosed))?.line ?? Infinity;
  return problems.filter(
    ({ line = 1 }, index) => line <= open && problems.findIndex((one) => one.line === line) === index,
  );
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

/** The issues of a schema, by line of the file; one mistake may have several issues with the same sentence. */
export function problemsOf<S extends v.GenericSchema>(
  schema: S,
  issues: readonly v.BaseIssue<unknown>[],
  file: string,
  { lineOf, scalarAt, textOf }: Pick<YamlFile, 'lineOf' | 'scalarAt' | 'textOf'>,
): Problem[] {
  // a value is not judged where its name is not known
  const unfolded = issues.flatMap(unfold);
  const names = new Set(unfolded.filter(isOfName).map((issue) => nameOf(pathOf(issue))));
  const judged = unfolded.filter((issue) => isOfName(issue) || !names.has(nameOf(pathOf(issue))));
  const problems = judged.flatMap((issue) => {
    const path = pathOf(issue);
    const written = { scalar: scalarAt(path), line: textOf(lineOf(path)) };
    return sentencesOf(schema, path, issue, written).map((one) => ({
      file,
      line: lineOf(one.path),
      message: one.message,
    }));
  });
  return [...new Map(problems.map((problem) => [`${problem.line} ${problem.message}`, problem])).values()];
}

/** Where a text or a block is possible, and there is a block, its own issues say more than the choice. */
function unfold(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] {
  const inside = issue.type === 'union' ? (issue.issues ?? []).filter(({ path }) => path !== undefined) : [];
  if (inside.length === 0) return [issue];
  return inside.map((one) => {
    const [first, ...rest] = [...(issue.path ?? []), ...(one.path ?? [])];
    return first ? { ...one, path: [first, ...rest] } : one;
  });
}

const isOfName = ({ kind, path }: v.BaseIssue<unknown>) => kind === 'validation' && path?.at(-1)?.origin === 'key';

export const pathOf = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));

/** The usual notation of numbers; YAML has more, and reads an order number such as 1E3 as a number. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** `1.000` is a thousand to many people. */
const groupedNumber = /^[1-9]\d{0,2}\.\d{2}0$/;

/** Unions within unions, such as plans of coupons: a replaced value can reveal the next issue. */
const rounds = 5;

interface Written<S extends v.GenericSchema> {
  readonly parsed: v.SafeParseResult<S>;
  /** numbers that are refused for their spelling */
  readonly oddNumbers: readonly OddNumber[];
}

interface OddNumber {
  readonly path: Path;
  readonly message: string;
}

/**
 * Parses the contents of a YAML file. Where the schema expects a text and YAML has read a number (`0012`, `1E3`, `+55`,
 * an id of 19 digits), the text is used as written. A number is refused in any but the usual notation, and where it is
 * too large to be exact.
 */
export function parseAsWritten<S extends v.GenericSchema>(schema: S, yaml: YamlFile): Written<S> {
  let value = yaml.value;
  let result = v.safeParse(schema, value);
  for (let round = 0; round < rounds && !result.success; round += 1) {
    const before = value;
    for (const issue of result.issues) {
      const path = pathOf(issue);
      const scalar = yaml.scalarAt(path);
      // where a number is expected, an invalid number must not become a text
      if (scalar && isNumber(scalar.value) && issue.expected !== 'number' && !isNumberIssue(issue)) {
        value = replaceAt(value, path, scalar.source);
      }
    }
    if (value === before) break;
    result = v.safeParse(schema, value);
  }
  return { parsed: result, oddNumbers: oddNumbers(value, yaml) };
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

/** Issues of a number schema whose type fits: range or integer. */
const isNumberIssue = (issue: v.BaseIssue<unknown>) => issue.kind === 'validation' && typeof issue.input === 'number';

function replaceAt(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === step ? replaceAt(one, rest, text) : one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === String(step) ? replaceAt(one, rest, text) : one]),
  );
}

/** Numbers in an unusual notation, or read as another number: `0x1F` and `010` mean something else to many people. */
function oddNumbers(value: unknown, yaml: YamlFile, path: Path = []): OddNumber[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => oddNumbers(one, yaml, [...path, index]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => oddNumbers(one, yaml, [...path, key]));
  const scalar = yaml.scalarAt(path);
  if (typeof value !== 'number' || !scalar) return [];
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return [{ path, message: `${scalar.source} is too large for a number` }];
  const currency = String(path.at(-1));
  if (groupedNumber.test(scalar.source) && !(isKnownCurrency(currency) && exponent(currency) === 3)) {
    const [grouped, decimal] = [scalar.source.replace('.', ''), String(value)];
    return [{ path, message: `${scalar.source} is read as ${decimal}; write ${grouped} or ${decimal}` }];
  }
  if (plainNumber.test(scalar.source)) return [];
  return [{ path, message: `${scalar.source} is no plain number; write it as ${String(scalar.value)}` }];
}
