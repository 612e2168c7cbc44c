/** The path of a Chromium that runs, or undefined when there is none. Rejects when CHROMIUM_PATH names none. */
export function findChromium(): Promise<string | undefined>;
/** Whether the one without a window is on the machine, or somebody has named another. */
export function hasChosenChromium(): boolean;
export const chromiumArgs: readonly string[];
