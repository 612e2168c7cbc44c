import * as v from 'valibot';
import { pathOf, type Path, type YamlFile } from './read-yaml.ts';

/** The usual notation of numbers; YAML has more, and reads an order number such as 1E3 as a number. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

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
  if (plainNumber.test(scalar.source)) return [];
  return [{ path, message: `${scalar.source} is no plain number; write it as ${String(scalar.value)}` }];
}
