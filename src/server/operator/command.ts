import type { Settings } from '#server/env.ts';
import type { Deps } from '#server/deps.ts';
import type { Answers } from './answers.ts';

export interface OptionText {
  readonly required?: true;
  /** stands for the value in the usage; an option without one is a switch */
  readonly value?: string;
  readonly summary: string;
}

export type Given = Readonly<Record<string, string | undefined>>;

/** Files of whoever gives a command. What cannot be done throws an `OperatorError` that says why. */
export interface CallerFiles {
  read(path: string): Promise<Uint8Array>;
  /** the files in a folder and below it, by their paths from there, sorted */
  names(folder: string): Promise<string[]>;
  /**
   * Writes a new file that its owner alone can read, in folders that are made for it: whole and on the disk, or not at
   * all. Never over another one. Answers how many bytes it has.
   */
  create(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number>;
}

/** What a command works with. */
export interface CommandContext extends Answers {
  /** throws `BadEnvironment` where it does not fit */
  readonly settings: Settings;
  /** epoch milliseconds */
  readonly clock: () => number;
  /** writes a line for whoever reads, or for a pipe */
  readonly print: (line: string) => void;
  /** writes a line for whoever reads */
  readonly explain: (line: string) => void;
  /** files of this machine */
  readonly files: CallerFiles;
}

/** What a command has that runs where it was given. */
export interface LocalContext extends CommandContext {
  /** as it is, for whoever looks at what does not fit */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** asks whoever is at the keyboard; absent where nobody is */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** What a command has that works in the database of the shop. */
export interface ShopContext extends CommandContext {
  readonly deps: Deps;
}

interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** words after the name, in their order; all of them are needed, and `given` has them by these names */
  readonly words?: readonly string[];
  readonly options: Readonly<Record<string, OptionText>>;
}

/** Runs where it was given, with files and settings alone. */
export interface LocalCommand extends CommandText {
  /** Throws `OperatorError` for what the operator can mend. */
  run(given: Given, context: LocalContext): Promise<void>;
}

/** Works in the database of the shop, beside the processes that run. */
export interface ShopCommand extends CommandText {
  /** a data folder that is not there yet is made for it, as the shop would at its first start */
  readonly mayBeNew?: true;
  /** on PostgreSQL its statements may take as long as they need */
  readonly patient?: true;
  /** runs with a `SIGNING_SECRET` that is not the recorded one */
  readonly replacesSecret?: true;
  /** Throws `OperatorError` for what the operator can mend. */
  inShop(given: Given, shop: ShopContext): Promise<void>;
}

export type Command = LocalCommand | ShopCommand;

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

/** Whether a switch was given. */
export const isOn = (given: Given, name: string): boolean => given[name] !== undefined;

/** A whole number that an option gives, or `usual` without it. */
export function numberGiven(given: Given, name: string, { usual, most }: { usual: number; most: number }): number {
  const text = given[name];
  if (text === undefined) return usual;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new OperatorError(`--${name} is a number from 1 to ${most}.`, { badUsage: true });
}
