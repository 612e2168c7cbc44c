/** The path of a Chromium that runs, or undefined when there is none. Rejects when CHROMIUM_PATH names none. */
export function findChromium(): Promise<string | undefined>;
export const chromiumArgs: readonly string[];
