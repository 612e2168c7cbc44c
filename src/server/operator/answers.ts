import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';

type Cell = string | number | boolean | null | Money;
/** Output fields with stable names: with `--json`, programs read them. */
export type Facts = Readonly<Record<string, Cell>>;
/** Facts about one thing, with lists of its parts. */
export type Story = Readonly<Record<string, Cell | Facts | readonly Facts[]>>;

/** How a command reports its results: as text, or as lines of JSON for programs. */
export interface Answers {
  readonly json: boolean;
  /** one of many: a line of cells separated by tabs, or of JSON */
  row(facts: Facts): void;
  /** everything about one thing */
  show(story: Story): void;
  /** the completed change: a sentence for people, and its facts for programs */
  done(sentence: string, facts: Facts): void;
}

interface Out {
  readonly print: (line: string) => void;
  readonly explain: (line: string) => void;
}

export function answersTo({ print, explain }: Out, json: boolean): Answers {
  return {
    json,
    row: (facts) => print(json ? JSON.stringify(facts) : lineOf(facts)),
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

const lineOf = (facts: Facts) => Object.values(facts).map(textOf).join('\t');

function linesOf(story: Story): string[] {
  return Object.entries(story).flatMap(([name, told]) => {
    if (isList(told)) return told.length === 0 ? [] : ['', `${name}:`, ...told.map((one) => `  ${lineOf(one)}`)];
    if (isFacts(told)) return ['', `${name}:`, ...Object.entries(told).map(([key, cell]) => `  ${pair(key, cell)}`)];
    return [pair(name, told)];
  });
}

const pair = (name: string, cell: Cell) => `${name.padEnd(16)} ${textOf(cell)}`;

const isList = (told: Story[string]): told is readonly Facts[] => Array.isArray(told);

const isMoney = (told: object): told is Money =>
  'amount' in told && 'currency' in told && Object.keys(told).length === 2;

const isFacts = (told: Exclude<Story[string], readonly Facts[]>): told is Facts =>
  typeof told === 'object' && told !== null && !isMoney(told);

function textOf(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // customer input may contain control characters, and a row must stay on one line
  return typeof cell === 'object' ? amountOf(cell) : String(cell).replaceAll(/\p{Cc}+/gu, ' ');
}

/** In major units with the currency code, such as `6.70 SGD`. */
export function amountOf({ amount, currency }: Money): string {
  const digits = exponent(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** An instant (epoch milliseconds) in a format that both people and programs read. */
export const instantOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
