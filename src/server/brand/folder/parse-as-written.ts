import * as v from 'valibot';
import { pathOf, type Path, type YamlFile } from './read-yaml.ts';

/** How people write a number; YAML has more ways, and takes an order number such as 1E3 for one of them. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Texts in texts, such as plans of coupons: a replaced value can uncover the next one. */
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
 * Parses what a YAML file contains. Where the schema wants a text, and YAML has made a number of it (`0012`, `1E3`,
 * `+55`, an id of 19 digits), the text counts as it is written. A number is refused in any but the plain spelling,
 * and where it is too large to be exact.
 */
export function parseAsWritten<S extends v.GenericSchema>(schema: S, yaml: YamlFile): Written<S> {
  let value = yaml.value;
  let result = v.safeParse(schema, value);
  for (let round = 0; round < rounds && !result.success; round += 1) {
    const before = value;
    for (const issue of result.issues) {
      const path = pathOf(issue);
      const scalar = yaml.scalarAt(path);
      // a number that a number does not fit is no text
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

/** Of a schema for numbers: its type fits, and only its size or its whole does not. */
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

/** Numbers that are not written plainly, or are read as another number: `0x1F` and `010` mean something else to many readers. */
function oddNumbers(value: unknown, yaml: YamlFile, path: Path = []): OddNumber[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => oddNumbers(one, yaml, [...path, index]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => oddNumbers(one, yaml, [...path, key]));
  const scalar = yaml.scalarAt(path);
  if (typeof value !== 'number' || !scalar) return [];
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return [{ path, message: `${scalar.source} is too large for a number` }];
  if (plainNumber.test(scalar.source)) return [];
  return [{ path, message: `${scalar.source} is no plain number; write it as ${String(scalar.value)}` }];
}
