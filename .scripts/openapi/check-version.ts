import { compareApis } from './compare.ts';

/** What the check reads of a description. */
interface Described {
  readonly info: { readonly version: string };
}

/** The newest text about the contract in a changelog. */
function contractSection(changelog: string): string {
  const [, newest = ''] = changelog.split(/^## /m);
  return newest.split(/^### /m).find((section) => section.startsWith('Contract\n')) ?? '';
}

const numbersOf = ({ info }: Described) => info.version.split('.').map(Number);

/**
 * Why the version of a description does not fit its changes since the last release: an incompatible change needs a
 * higher major version, any other one a higher minor version, and the changelog names each.
 */
export function versionFaults(released: Described, current: Described, changelog: string): string[] {
  const [major = 0, minor = 0] = numbersOf(released);
  const [nowMajor = 0, nowMinor = 0] = numbersOf(current);
  const isMajor = nowMajor > major;
  const isMinor = isMajor || (nowMajor === major && nowMinor > minor);
  const section = contractSection(changelog);
  return compareApis(released, current).flatMap(({ name, text, isCompatible }) => {
    const isAllowed = isCompatible ? isMinor : isMajor;
    const needed = isAllowed ? [] : [`a higher ${isCompatible ? 'minor' : 'major'} version in version.ts`];
    const named = section.includes(`\`${name}\``) ? [] : [`\`${name}\` under "### Contract" of the changelog`];
    return [...needed, ...named].map((what) => `${name}: ${text}. It needs ${what}.`);
  });
}
