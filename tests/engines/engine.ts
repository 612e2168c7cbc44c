import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from './device.ts';

/** A message in the console of an engine, or an error that no script has caught. */
export interface ConsoleEntry {
  readonly level: 'error' | 'warning';
  readonly text: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One page of an engine in a profile of its own, as its driver controls it. */
export interface EnginePage {
  /** what the console has called an error or a warning so far */
  readonly console: readonly ConsoleEntry[];
  /** resolves when the new document has replaced the previous one */
  open(address: string): Promise<void>;
  /** the value of an expression in the page; a promise is awaited */
  evaluate(expression: string): Promise<unknown>;
  tap(at: Point): Promise<void>;
  /** presses a key by its name, such as `Enter` */
  press(key: string): Promise<void>;
  /** types into the focused element */
  type(text: string): Promise<void>;
  /** a PNG */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Engine {
  newPage(device: Device, language: string): Promise<EnginePage>;
  close(): Promise<void>;
}

export const errorsOf = (entries: readonly ConsoleEntry[]): string[] =>
  entries.filter(({ level }) => level === 'error').map(({ text }) => text);

const waitLimitMs = 90_000;
const pauseMs = 40;

/** Waits until something is so, also through failures: a server may not be up yet, or a page be between two documents. */
export async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + waitLimitMs;
  let last: unknown;
  while (Date.now() < until) {
    const so = await isSo().catch((error: unknown) => void (last = error));
    if (so === true) return;
    await wait(pauseMs);
  }
  throw new Error(`There is no ${what} after ${waitLimitMs} ms`, { cause: last });
}
