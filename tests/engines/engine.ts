import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from './device.ts';

/** A message in the console of an engine, or an uncaught error. */
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
  /** The errors and warnings in the console so far. */
  readonly console: readonly ConsoleEntry[];
  /** Resolves when the new document has replaced the previous one. */
  open(address: string): Promise<void>;
  /** The value of an expression in the page; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
  tap(at: Point): Promise<void>;
  /** Presses a key by its name, such as `Enter`. */
  press(key: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /** A PNG. */
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

/**
 * Waits until a condition is true. Failures are retried: a server may be starting, or a page may be between two
 * documents.
 */
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
