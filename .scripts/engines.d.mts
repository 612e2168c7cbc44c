import type { ChildProcess } from 'node:child_process';

/** Whether the old engines run on this machine: Linux on x64. */
export const enginesRunHere: boolean;

/**
 * Starts an old Chromium with a profile of its own in `profile`. Resolves with its process and the address of its DevTools;
 * rejects with what it said when it does not come up, or where it was not installed.
 */
export function startEngine(
  version: number,
  profile: string,
): Promise<{ readonly child: ChildProcess; readonly address: string }>;

/** Brings what is missing of the old engines that the tests buy in. */
export function installEngines(): Promise<void>;
