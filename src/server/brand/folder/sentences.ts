import type * as v from 'valibot';
import { knownCurrencies, knownCurrencySchema } from '#contract/money.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { didYouMean } from './near-names.ts';

/** The sentences about `brand.yaml`. No part of a schema is shown: each says what is wrong, and what to write. */

/** What is read of a schema: the parts of valibot's schemas that have names, values or limits. */
export interface Node {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly value?: Node;
  readonly options?: readonly (Node | string)[];
  readonly default?: (() => unknown) | readonly unknown[] | string | number | boolean;
  readonly message?: unknown;
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown; readonly message?: unknown }[];
}

/** A generic schema is one of many types, whose parts are optional here. */
export const nodeOf = (schema: v.GenericSchema): Node => schema;
export const unwrapped = (node: Node): Node => (node.wrapped ? unwrapped(node.wrapped) : node);
const isNode = (option: Node | string): option is Node => typeof option === 'object';

type Path = readonly (string | number)[];

/** The schema of the value at a path; undefined where no setting has it. */
function nodeAt(node: Node, [step, ...rest]: Path): Node | undefined {
  const own = unwrapped(node);
  if (step === undefined) return own;
  if (own.options) {
    const found = own.options.filter(isNode).map((option) => nodeAt(option, [step, ...rest]));
    return found.find((one) => one !== undefined);
  }
  const next = typeof step === 'number' ? own.item : own.entries ? ownEntry(own.entries, step) : own.value;
  return next && nodeAt(next, rest);
}

const ownEntry = (entries: Readonly<Record<string, Node>>, key: string): Node | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

/** The names of settings at a path. */
function keysAt(schema: v.GenericSchema, path: Path): string[] {
  const node = nodeAt(nodeOf(schema), path);
  if (!node) return [];
  const all = node.options ? node.options.filter(isNode).map(unwrapped) : [node];
  return all.flatMap(({ entries = {} }) => Object.keys(entries));
}

/** The paths of all settings with a name, as `payment.renewal` or `plans[].prices`. */
function pathsTo(node: Node, key: string, path = ''): string[] {
  const { entries = {}, item } = unwrapped(node);
  const inside = Object.entries(entries).flatMap(([name, one]) => {
    const place = path === '' ? name : `${path}.${name}`;
    return [...(name === key ? [place] : []), ...pathsTo(one, key, place)];
  });
  return item ? [...inside, ...pathsTo(item, key, `${path}[]`)] : inside;
}

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

/** A limit of numbers or lengths. */
function limitOf({ pipe = [] }: Node, name: string): number | undefined {
  const requirement = pipe.find((step) => step.type === name)?.requirement;
  return typeof requirement === 'number' ? requirement : undefined;
}

/** What a value must be; undefined where its messages say it. */
export function wantedOf(node: Node): string | undefined {
  const { type, entries, options = [], pipe = [] } = node;
  const messages = [node.message, ...pipe.map(({ message }) => message)];
  const own = messages.map((text) => (typeof text === 'string' ? /^must be (.*)/.exec(text)?.[1] : undefined));
  const said = own.find((words) => words !== undefined);
  if (said !== undefined) return said;
  const limit = (name: string) => limitOf(node, name);
  const [least, most] = [limit('min_value'), limit('max_value')];
  if (type === 'number') {
    const number = pipe.some((step) => step.type === 'integer') ? 'a whole number' : 'a number';
    if (most !== undefined) return `${number} from ${least} to ${most}`;
    return least === undefined ? number : `${number} of ${least} or more`;
  }
  if (type === 'boolean') return 'true or false';
  if (type === 'picklist') return `one of ${options.filter((option) => typeof option === 'string').join(', ')}`;
  if (type === 'string') {
    const longest = limit('max_length');
    return longest === undefined ? 'a text' : `a text of at most ${longest} characters`;
  }
  if (type === 'array') return 'a list';
  if (type === 'record')
    return node.value?.type === 'number' ? 'amounts by currency, such as { USD: 4.99 }' : 'values by name';
  return entries && `a block of settings (${Object.keys(entries).slice(0, 8).join(', ')})`;
}

/** A path as operators read it: `plans[0].prices.USD`. */
export const nameOf = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : step))
    .join('.')
    .replaceAll('.[', '[');

interface WrittenValue {
  /** the unquoted value in the file */
  readonly scalar: { readonly value: unknown; readonly source: string } | undefined;
  /** the line of the file */
  readonly line: string;
}

/** The sentences about an issue of a schema; several where a block has several unknown settings. */
export function sentencesOf(
  schema: v.GenericSchema,
  path: Path,
  issue: v.BaseIssue<unknown>,
  written: WrittenValue,
): { readonly path: Path; readonly message: string }[] {
  if (issue.expected === 'never') {
    const parent = path.slice(0, -1);
    const known = keysAt(schema, parent);
    const given = keysOf(issue.path?.at(-1)?.input);
    return given
      .filter((key) => !known.includes(key))
      .map((key) => ({
        path: [...parent, key],
        message: `${nameOf([...parent, key])}${unknownSetting(schema, [...parent, key], known, written.line)}`,
      }));
  }
  return [{ path, message: `${nameOf(path)}${faultOf(schema, path, issue, written)}` }];
}

function unknownSetting(schema: v.GenericSchema, path: Path, known: readonly string[], line: string): string {
  const key = String(path.at(-1));
  if (/^\w+:/.test(key)) return ' needs a space after its colon';
  const comma = isRestOfNumber(path) ? commaHint(line) : undefined;
  if (comma !== undefined) return comma;
  const near = didYouMean(key, known);
  const [elsewhere] = path.length === 1 ? pathsTo(nodeOf(schema), key) : [];
  if (near === '' && elsewhere !== undefined)
    return ` is not known here: it belongs to ${elsewhere.replace(`.${key}`, '')}; see its indentation`;
  const few = near === '' && known.length <= mostListed ? `; known are ${known.join(', ')}` : '';
  return ` is not known here${near}${few}`;
}

const mostListed = 8;

/** The rest of a sentence that begins with the name of a setting. */
function faultOf(
  schema: v.GenericSchema,
  path: Path,
  issue: v.BaseIssue<unknown>,
  { scalar, line }: WrittenValue,
): string {
  const node = nodeAt(nodeOf(schema), path);
  const wanted = node && wantedOf(node);
  const own = issue.message.startsWith('must ') ? issue.message : undefined;
  if (issue.received === 'undefined')
    return ` is missing${wanted === undefined || wanted === 'a text' ? '' : `: write ${wanted}`}`;
  const isCut = isRestOfNumber(path) || scalar?.source.includes(',') === true;
  const comma = node?.type === 'number' && isCut ? commaHint(line) : undefined;
  if (comma !== undefined) return comma;
  if (issue.path?.at(-1)?.origin === 'key') return keyFault(String(path.at(-1)), own);
  if (scalar?.source === '') return emptyFault(line, own ?? (wanted && `must be ${wanted}`));
  const isOther = scalar && (typeof scalar.value === 'boolean' || scalar.value === null);
  if (isOther && (node?.type === 'string' || node?.type === 'union'))
    return `: ${scalar.source} is no text in YAML; put it in quotes`;
  return ` ${own ?? limitFault(issue, wanted)}${remedyOf(issue, node, scalar?.source)}`;
}

/** A name that is a value itself, such as the currency of a price. */
function keyFault(key: string, own: string | undefined): string {
  if (/^\w+:\S/.test(key)) return ' needs a space after its colon, such as { USD: 4.99 }';
  return ` ${own ?? 'is not known here'}${didYouMean(key, knownCurrencies())}`;
}

/** In braces a decimal comma makes two entries, of which the second looks like the name of a setting. */
const isRestOfNumber = (path: Path) => /^\d+$/.test(String(path.at(-1)));

/** A comma instead of a decimal point. */
function commaHint(line: string): string | undefined {
  const [text, whole = '', part] = /(?<![\w.,])(\d[\d.]*),(\d{1,3})(?![\w.,])/.exec(line) ?? [];
  return text === undefined
    ? undefined
    : `: ${text} has a comma; write ${whole.replaceAll('.', '')}.${part} with a point`;
}

function emptyFault(line: string, wanted: string | undefined): string {
  const [, comment] = /:[ \t]+(#[^\s#]\S*)/.exec(line) ?? [];
  if (comment !== undefined) return ` is empty, because a # begins a comment: write "${comment}" in quotes`;
  return ` is empty; it ${wanted ?? 'must have a value'}, and a text that begins with # is put in quotes`;
}

/** Limits of lengths and numbers. */
function limitFault({ type, input, requirement }: v.BaseIssue<unknown>, wanted: string | undefined): string {
  const length = typeof input === 'string' || Array.isArray(input) ? input.length : 0;
  const unit = typeof input === 'string' ? 'characters' : 'entries';
  if (type === 'max_length') return `must have at most ${String(requirement)} ${unit}, and has ${length}`;
  if (type === 'min_length') return typeof input === 'string' ? 'must not be empty' : 'must have one entry at least';
  if (type === 'regex') return 'has characters that are not allowed';
  return wanted === undefined ? 'is not allowed' : `must be ${wanted}`;
}

const longest = 40;

/** What the value is, and how to write the one that was probably meant. */
function remedyOf({ input, type }: v.BaseIssue<unknown>, node: Node | undefined, source: string | undefined): string {
  if (type.endsWith('_length')) return '';
  if (Array.isArray(input)) return node?.type === 'array' ? '' : ', not a list';
  if (typeof input === 'object' && input !== null)
    return node?.entries || node?.value ? '' : ', not a block of settings';
  const text = source ?? String(input);
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  const isQuoted = source === undefined && typeof input === 'string';
  if (node?.type === 'array') return `, such as [ ${shown} ]`;
  if (node?.type === 'number') return `, not ${shown}${numberHint(text, isQuoted, isShare(node))}`;
  if (node?.type === 'boolean') return `, not ${shown}${/^(true|false)$/.test(text) && isQuoted ? ' in quotes' : ''}`;
  const values = node ? valuesOf(node) : [];
  const isList = text.includes(' ') && text.split(' ').every((word) => values.includes(word));
  return `, not ${shown}${isList ? '; write a comma between them' : didYouMean(text, values)}`;
}

/** The values that a schema knows by name. */
function valuesOf(node: Node): string[] {
  if (node === nodeOf(knownCurrencySchema)) return knownCurrencies();
  if (node === nodeOf(timeZoneSchema)) return Intl.supportedValuesOf('timeZone');
  return node.options?.filter((option) => typeof option === 'string') ?? [];
}

const isShare = (node: Node) => limitOf(node, 'max_value') === 1;

/** The plain number in a text such as `"4.99"`, `$4.99` or `1,299.00`. */
function numberHint(text: string, isQuoted: boolean, isOfOne: boolean): string {
  const digits = text.replaceAll(/[^\d.,-]/g, '').replaceAll(/,(?=\d{3}\b)/g, '');
  const bare = isOfOne && text.endsWith('%') ? String(Number(digits) / 100) : digits;
  if (!/^-?\d+(\.\d+)?$/.test(bare) || Number.isNaN(Number(bare))) return '';
  if (bare === text) return isQuoted ? ' in quotes' : '';
  return `; write ${bare}`;
}
