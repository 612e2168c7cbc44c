/** One line of the report: a measured value and its reference. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly against?: string;
  /** for example `at most 1.35 times` */
  readonly target?: string;
  readonly met?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export const ms = (value: number) => `${Math.round(value)} ms`;
export const times = (value: number) => `${value.toFixed(2)} x`;
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;

function verdict({ met }: Figure): string {
  if (met === undefined) return '';
  return met ? 'ok' : 'MISSED';
}

/** Prints a table; returns whether every target was met. */
export function printFigures(title: string, figures: readonly Figure[]): boolean {
  const rows = figures.map((figure) => [
    figure.what,
    figure.measured,
    figure.against ?? '',
    figure.target ?? '',
    verdict(figure),
  ]);
  const heads = [title, 'measured', 'against', 'target', ''];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(['', line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
  return figures.every(({ met }) => met !== false);
}
