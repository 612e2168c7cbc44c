import type { Settings } from '#server/env.ts';
import type { Deps } from '#server/deps.ts';
import type { Answers } from './answers.ts';

export interface OptionText {
  readonly required?: true;
  /** placeholder of the value in the usage; an option without one is a flag */
  readonly value?: string;
  readonly summary: string;
}

export type Given = Readonly<Record<string, string | undefined>>;

/** Files of the caller of a command. Failures throw an `OperatorError` that says why. */
export interface CallerFiles {
  read(path: string): Promise<Uint8Array>;
  /** the files in a folder and below it, by their relative paths, sorted */
  names(folder: string): Promise<string[]>;
  /**
   * Creates a file that only its owner can read, with its parent folders: completely written and synced, or not at all.
   * Never overwrites a file. Returns its size in bytes.
   */
  create(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number>;
}

/** The context of every command. */
export interface CommandContext extends Answers {
  /** throws `BadEnvironment` where the environment is invalid */
  readonly settings: Settings;
  /** epoch milliseconds */
  readonly clock: () => number;
  /** writes a line to standard output */
  readonly print: (line: string) => void;
  /** writes a line for people to standard error */
  readonly explain: (line: string) => void;
  /** files of this machine */
  readonly files: CallerFiles;
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
  run(given: Given, context: LocalContext): Promise<void>;
}

/** Works in the shop's database, alongside running processes. */
export interface ShopCommand extends CommandText {
  /** creates a data folder that does not exist yet, as the shop does at its first start */
  readonly mayBeNew?: true;
  /** on PostgreSQL its statements have no time limit */
  readonly patient?: true;
  /** runs with a `SIGNING_SECRET` that is not the recorded one */
  readonly replacesSecret?: true;
  /** Throws `OperatorError` for problems that the operator can fix. */
  inShop(given: Given, shop: ShopContext): Promise<void>;
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
export function need(given: Given, name: string): string {
  const value = given[name]?.trim();
  if (!value) throw new OperatorError(`--${name} is missing.`, { badUsage: true });
  return value;
}

/** Whether a flag was given. */
export const isOn = (given: Given, name: string): boolean => given[name] !== undefined;

/** The whole number of an option, or `usual` without it. */
export function numberGiven(given: Given, name: string, { usual, most }: { usual: number; most: number }): number {
  const text = given[name];
  if (text === undefined) return usual;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new OperatorError(`--${name} is a number from 1 to ${most}.`, { badUsage: true });
}
