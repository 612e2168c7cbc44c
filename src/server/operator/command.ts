import { byteOrderMark, csvLine, csvText } from './csv.ts';
import type { Settings } from '#server/env.ts';
import type { Deps } from '#server/deps.ts';
import { errorNameOf } from '#contract/error-codes.ts';
import { exponent, type Money } from '#contract/money.ts';
import { fromDecimal } from '#server/payments/terms.ts';

export interface OptionText {
  readonly required?: true;
  /** placeholder of the value in the usage; an option without one is a flag */
  readonly value?: string;
  readonly summary: string;
}

export type OptionValues = Readonly<Record<string, string | undefined>>;

/** The context of every command. */
export interface CommandContext extends CommandOutput {
  /** throws `BadEnvironment` where the environment is invalid */
  readonly settings: Settings;
  /** epoch milliseconds */
  readonly clock: () => number;
  /** writes a line to standard output: results, and help that was requested */
  readonly print: (line: string) => void;
  /** writes a line for people to standard error */
  readonly explain: (line: string) => void;
}

/** The context of a command that runs in the caller's process. */
export interface LocalContext extends CommandContext {
  /** unparsed, for commands that examine invalid settings */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** prompts at the terminal; absent without one */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** The context of a command that works in the shop's database. */
export interface ShopContext extends CommandContext {
  readonly deps: Deps;
}

interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** positional arguments after the name, all required; `given` contains them by these names */
  readonly words?: readonly string[];
  readonly options: Readonly<Record<string, OptionText>>;
}

/** Runs in the caller's process, with files and settings only. */
export interface LocalCommand extends CommandText {
  /** Throws `OperatorError` for problems that the operator can fix. */
  run(given: OptionValues, context: LocalContext): Promise<void>;
}

/** Works in the shop's database, alongside running processes. */
export interface ShopCommand extends CommandText {
  /** creates a data folder that does not exist yet, as the shop does at its first start */
  readonly mayBeNew?: true;
  /** on PostgreSQL its statements have no time limit */
  readonly withoutTimeout?: true;
  /** runs with a `SIGNING_SECRET` that is not the recorded one */
  readonly replacesSecret?: true;
  /** Throws `OperatorError` for problems that the operator can fix. */
  inShop(given: OptionValues, shop: ShopContext): Promise<void>;
}

export type Command = LocalCommand | ShopCommand;

/** The command cannot run like this; the message says why and what to do. `badUsage` also prints its usage. */
export class OperatorError extends Error {
  readonly badUsage: boolean;

  constructor(message: string, { badUsage = false }: { badUsage?: boolean } = {}) {
    super(message);
    this.name = 'OperatorError';
    this.badUsage = badUsage;
  }
}

/** The value of a required option or positional argument. */
export function requireOption(given: OptionValues, name: string): string {
  const value = given[name]?.trim();
  if (!value) throw new OperatorError(`--${name} is missing.`, { badUsage: true });
  return value;
}

/** Whether a flag was given. */
export const hasOption = (given: OptionValues, name: string): boolean => given[name] !== undefined;

/** The whole number of an option, or `usual` without it. */
export function numberOption(
  given: OptionValues,
  name: string,
  { usual, most }: { usual: number; most: number },
): number {
  const text = given[name];
  if (text === undefined) return usual;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new OperatorError(`--${name} is a number from 1 to ${most}.`, { badUsage: true });
}

/** The amount of `--amount` in minor units of a currency, written as people write it, such as 12.34. */
export function amountOption(given: OptionValues, currency: string): number | undefined {
  const text = given['amount']?.trim();
  if (text === undefined) return undefined;
  const amount = fromDecimal(text, currency)?.amount;
  if (amount) return amount;
  const digits = exponent(currency);
  const decimals = digits === 0 ? 'no decimals' : `${digits} decimals at most, after a point`;
  const example = amountOf({ amount: digits === 0 ? 1234 : 123_456, currency });
  throw new OperatorError(`--amount is more than nothing and has ${decimals}, as in ${example}.`, { badUsage: true });
}

type Cell = string | number | boolean | null | Money;
/** Output fields with stable names: with `--json`, programs read them. */
export type OutputFields = Readonly<Record<string, Cell>>;
/** Facts about one thing, with lists of its parts. */
type OutputDetails = Readonly<Record<string, Cell | OutputFields | readonly OutputFields[]>>;

/** `json` and `csv` are for programs; CSV is for lists, and everything else stays text. */
export type OutputFormat = 'text' | 'json' | 'csv';

/** How a command reports its results. */
interface CommandOutput {
  readonly json: boolean;
  /** one of many: a line of cells separated by tabs, of JSON, or of CSV; text and CSV after a line of names */
  row(facts: OutputFields): void;
  /** everything about one thing; its lists have a line of names each */
  show(story: OutputDetails): void;
  /** the completed change: a sentence for people, and its facts for programs */
  done(sentence: string, facts: OutputFields): void;
}

interface Out {
  readonly print: (line: string) => void;
  readonly explain: (line: string) => void;
}

export function createCommandOutput({ print, explain }: Out, format: OutputFormat): CommandOutput {
  const json = format === 'json';
  let isFirst = true;
  return {
    json,
    row: (facts) => {
      if (format === 'csv' && isFirst) print(byteOrderMark + csvLine(columnsOf(facts)));
      if (format === 'text' && isFirst) explain(Object.keys(facts).join('\t'));
      isFirst = false;
      print(json ? JSON.stringify(facts) : format === 'csv' ? csvLine(cellsOf(facts)) : lineOf(facts));
    },
    show: (story) => {
      if (json) return print(JSON.stringify(story));
      for (const line of linesOf(story)) print(line);
    },
    done: (sentence, facts) => {
      explain(sentence);
      if (json) print(JSON.stringify(facts));
    },
  };
}

/** Money takes two columns, so that a spreadsheet can add it up. */
const columnsOf = (facts: OutputFields) =>
  Object.entries(facts).flatMap(([name, cell]) => (isObject(cell) ? [name, `${name}_currency`] : [name]));

const cellsOf = (facts: OutputFields) =>
  Object.values(facts).flatMap((cell) => (isObject(cell) ? [majorUnits(cell), cell.currency] : [csvText(cell)]));

const isObject = (cell: Cell): cell is Money => typeof cell === 'object' && cell !== null;

const lineOf = (facts: OutputFields) => Object.values(facts).map(textOf).join('\t');

function linesOf(story: OutputDetails): string[] {
  return Object.entries(story).flatMap(([name, told]) => {
    if (isList(told)) return told.length === 0 ? [] : ['', `${name}:`, ...tableOf(told)];
    if (isFacts(told)) return ['', `${name}:`, ...Object.entries(told).map(([key, cell]) => `  ${pair(key, cell)}`)];
    return [pair(name, told)];
  });
}

/** Rows under a line with the names of their columns, which is repeated where the columns change. */
const tableOf = (rows: readonly OutputFields[]): string[] =>
  rows.flatMap((row, index) => {
    const [names, before] = [row, rows[index - 1] ?? {}].map((one) => Object.keys(one).join('\t'));
    return [...(names === before ? [] : [`  ${names}`]), `  ${lineOf(row)}`];
  });

const pair = (name: string, cell: Cell) => `${name.padEnd(16)} ${textOf(cell)}`;

const isList = (told: OutputDetails[string]): told is readonly OutputFields[] => Array.isArray(told);

const isMoney = (told: object): told is Money =>
  'amount' in told && 'currency' in told && Object.keys(told).length === 2;

const isFacts = (told: Exclude<OutputDetails[string], readonly OutputFields[]>): told is OutputFields =>
  typeof told === 'object' && told !== null && !isMoney(told);

function textOf(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // customer input may contain control characters, and a row must stay on one line
  return typeof cell === 'object' ? amountOf(cell) : String(cell).replaceAll(/\p{Cc}+/gu, ' ');
}

/** In major units, such as `6.70`. */
function majorUnits({ amount, currency }: Money): string {
  const digits = exponent(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** In major units with the currency code, such as `6.70 SGD`. */
export const amountOf = (money: Money): string => `${majorUnits(money)} ${money.currency}`;

/** What a code of the catalogue means, such as `insufficient funds`; null without a code. */
export function failureText(code: number | null): string | null {
  if (code === null) return null;
  const words = errorNameOf(code)?.replace(/\d+$/, '') ?? 'unknown';
  return words.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** An instant (epoch milliseconds) in a format that both people and programs read. */
export const instantOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
