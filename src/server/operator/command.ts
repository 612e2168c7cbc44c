import type { Settings } from '../env.ts';

export interface OptionText {
  readonly required?: true;
  /** stands for the value in the usage */
  readonly value: string;
  readonly says: string;
}

export type Given = Readonly<Record<string, string | undefined>>;

/** What a command works with. */
export interface Desk {
  readonly settings: Settings;
  /** epoch milliseconds */
  readonly clock: () => number;
  /** writes a line for whoever reads, or for a pipe */
  readonly print: (line: string) => void;
  /** writes a line for whoever reads */
  readonly explain: (line: string) => void;
}

export interface Command {
  readonly name: string;
  readonly says: string;
  /** words after the name, in their order; all of them are needed, and `given` has them by these names */
  readonly words?: readonly string[];
  readonly options: Readonly<Record<string, OptionText>>;
  /** Throws `OperatorError` for what the operator can mend. */
  run(given: Given, desk: Desk): Promise<void>;
}

/** The command cannot be done like this; the message says why and what to do. `badUsage` shows how to call it, too. */
export class OperatorError extends Error {
  readonly badUsage: boolean;

  constructor(message: string, { badUsage = false }: { badUsage?: boolean } = {}) {
    super(message);
    this.name = 'OperatorError';
    this.badUsage = badUsage;
  }
}

/** An option that `required` promises, or a word. */
export function need(given: Given, name: string): string {
  const value = given[name]?.trim();
  if (!value) throw new OperatorError(`--${name} is missing.`, { badUsage: true });
  return value;
}
