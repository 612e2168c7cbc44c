import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';

type Cell = string | number | boolean | null | Money;
/** What is told, by names that do not change: with `--json` somebody's program reads them. */
export type Facts = Readonly<Record<string, Cell>>;
/** Facts about one thing, with lists of what belongs to it. */
export type Story = Readonly<Record<string, Cell | Facts | readonly Facts[]>>;

/** How a command tells its results: for people, or as lines of JSON for programs. */
export interface Answers {
  readonly json: boolean;
  /** one of many: a line of cells parted by tabs, or of JSON */
  row(facts: Facts): void;
  /** everything about one thing */
  show(story: Story): void;
  /** what was done: a sentence for people, and its facts for programs */
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
  // a stranger chose some of it, and a line stays a line
  return typeof cell === 'object' ? amountOf(cell) : String(cell).replaceAll(/\p{Cc}+/gu, ' ');
}

/** In major units with the code of the currency: `6.70 SGD`, as an account statement has it. */
export function amountOf({ amount, currency }: Money): string {
  const digits = exponent(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** An instant in epoch milliseconds as people and programs both read it. */
export const instantOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
