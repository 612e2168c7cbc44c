interface Programs {
  Firefox: { readonly browser: string };
  WebKitGTK: { readonly browser: string; readonly driver: string; readonly display: string };
  'WPE WebKit': { readonly browser: string; readonly driver: string };
}

/** An engine from a package of Debian. */
export type DebianEngine = keyof Programs;

/** The paths of an engine's programs; undefined where it is not installed. */
export function programsOf<Name extends DebianEngine>(name: Name): Programs[Name] | undefined;

/** One line for each engine that is not on this machine, so that its tests are skipped. */
export function missingEngines(): string[];

/** Installs what is missing; `aptGet` runs `apt-get` with its arguments and answers whether it succeeded. */
export function installDebianEngines(aptGet: (...args: string[]) => boolean): void;
