/**
 * The path of a Chromium that runs, or undefined when there is none. Rejects when CHROMIUM_PATH names none. `whole`: not
 * the shell without a window.
 */
export function findChromium(options?: { readonly whole?: boolean }): Promise<string | undefined>;
export const chromiumArgs: readonly string[];
