import type { Finding } from './audit.ts';
import { mishaps, type Mishap } from './faulty-wire.ts';

interface CountedFault {
  readonly method: string;
  readonly call: string;
  readonly mishap: Mishap;
}

/** Counts the faults by payment method and call, on both connections. */
export interface Tally {
  count(happened: CountedFault): void;
  of(method: string, mishap: Mishap): number;
  /** the number of different combinations of method, call and fault */
  readonly kinds: number;
  /** the number of different combinations of method and call */
  readonly steps: number;
}

export function aTally(): Tally {
  const rows = new Map<string, number>();
  const kinds = new Set<string>();
  const steps = new Set<string>();
  return {
    count: ({ method, call, mishap }) => {
      const row = `${method} ${mishap}`;
      rows.set(row, (rows.get(row) ?? 0) + 1);
      steps.add(`${method} ${call}`);
      kinds.add(`${method} ${call} ${mishap}`);
    },
    of: (method, mishap) => rows.get(`${method} ${mishap}`) ?? 0,
    get kinds() {
      return kinds.size;
    },
    get steps() {
      return steps.size;
    },
  };
}

export type Row = readonly (string | number)[];

/**
 * A table with one line for each method and one for all. `wrong` counts the purchases with faults. Without a tally it
 * has no columns for the faults of the connections.
 */
export function table(findings: readonly Finding[], tally?: Tally): string {
  const methods = [...new Set(findings.map(({ purchase }) => purchase.way.method))];
  const happened = tally ? mishaps : [];
  const rows = methods.map((method) => {
    const own = findings.filter(({ purchase }) => purchase.way.method === method);
    return [method, ...numbersOf(own), ...happened.map((mishap) => tally?.of(method, mishap) ?? 0), ...moneyOf(own)];
  });
  const heads = [
    'method',
    'purchases',
    'paid',
    'unpaid',
    'waiting',
    'unknown',
    ...happened,
    'charges',
    'captures',
    'duplicates',
    'wrong',
  ];
  const sums = heads.slice(1).map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0));
  return aligned([heads, ...rows, ['all', ...sums]]);
}

function numbersOf(findings: readonly Finding[]): number[] {
  const ended = (end: Finding['end']) => findings.filter((finding) => finding.end === end).length;
  return [findings.length, ended('paid'), ended('unpaid'), ended('waiting'), ended('unknown')];
}

function moneyOf(findings: readonly Finding[]): number[] {
  const sum = (of: (finding: Finding) => number) => findings.reduce((all, finding) => all + of(finding), 0);
  const duplicates = sum(({ charges }) => Math.max(0, charges - 1));
  const wrong = findings.filter(({ faults }) => faults.length > 0).length;
  return [sum(({ charges }) => charges), sum(({ captures }) => captures), duplicates, wrong];
}

/** The rows with columns of equal width, the first to the left and the others to the right. */
export function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const cell = (value: string | number, column: number) =>
    column === 0 ? String(value).padEnd(widths[column] ?? 0) : String(value).padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ')).join('\n');
}
