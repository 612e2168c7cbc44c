import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '#server/brand/catalog.ts';
import { databaseProblemOf } from '#server/db/connect.ts';
import { BadEnvironment, readSettings, type Settings } from '#server/env.ts';
import { SandboxMismatch } from './simulated-money.ts';
import { openDeps, type OpenedDeps } from './open-deps.ts';

/**
 * [Note: Production] Where the sandbox is off, customers pay real money, so a shop starts only when its configuration
 * is complete. All missing settings are reported together by their variable names, before anything is opened. `operator
 * -- doctor` checks the same list, and then what can only be checked from outside.
 */
interface MissingSetting {
  /** of the variable, or of what is missing in the database */
  readonly name: string;
  readonly remedy: string;
}

export class IncompleteConfiguration extends Error {
  constructor(missing: readonly MissingSetting[]) {
    const lines = missing.map(({ name, remedy }) => `  ${name}: ${remedy}`);
    super(`This shop is not ready for production. Missing:\n${lines.join('\n')}\n${hint}`);
    this.name = 'NotReady';
  }
}

const hint = 'Check further with `npm run operator -- doctor`; for a demo with simulated payments, set SANDBOX=true';

/** The settings that are missing. */
export function missingSettings(settings: Settings): MissingSetting[] {
  const wanted = {
    DATABASE_URL: 'set it to a PostgreSQL 15 or newer, postgres://user:password@host/name',
    SMTP_URL: 'set it to smtp://user:password@host:587, because codes, receipts and reminders go by mail',
    SIGNING_SECRET: secretToDo(settings),
    METRICS_TOKEN: 'set it to 16 characters or more, such as `openssl rand -hex 16` prints; /metrics requires it',
  };
  return Object.entries(wanted).flatMap(([name, remedy]) => (isSet(settings, name) ? [] : [{ name, remedy }]));
}

const isSet = (settings: Readonly<Record<string, unknown>>, name: string) => Boolean(settings[name]);

/**
 * A shop that ran without the setting has generated a secret, which signed quotes, consents of saved cards and push
 * keys.
 */
function secretToDo({ DATA_DIR }: Settings): string {
  const file = join(DATA_DIR, 'secret');
  return existsSync(file)
    ? `set it to the content of ${file}, the secret that this shop has used so far`
    : 'set it to 32 or more random bytes, such as `openssl rand -base64 32` prints, the same for every process';
}

/** What the brands are missing. */
export function missingBrandSettings(
  { TRUST_PROXY, DEFAULT_BRAND }: Pick<Settings, 'TRUST_PROXY' | 'DEFAULT_BRAND'>,
  brands: readonly Pick<Brand, 'code' | 'origin'>[],
): MissingSetting[] {
  if (brands.length === 0) return [noBrand];
  if (TRUST_PROXY.some) return [];
  const open = brands.filter(({ origin }) => !origin.startsWith('https:'));
  return open.map(({ code, origin }) => {
    const isDefault = code === DEFAULT_BRAND;
    const place = isDefault ? 'this' : 'it in the brand.yaml of the brand';
    const remedy =
      `the brand ${code} is at ${origin}; set ${place} to an address that starts with https://, or name the proxy ` +
      'that speaks https for it in TRUST_PROXY';
    return { name: isDefault ? 'PUBLIC_ORIGIN' : `origin of ${code}`, remedy };
  });
}

const howToBrand = 'write one with `npm run operator -- brand new <name>` and put it there with `brand apply`';
const noBrand: MissingSetting = { name: 'brand', remedy: `the database has no brand; ${howToBrand}` };
/** Without a database it is unknown whether it has a brand. */
const brandToo: MissingSetting = {
  name: 'brand',
  remedy: `that database must contain a brand; if it does not, ${howToBrand}`,
};

/**
 * Opens a shop whose sandbox is off. Throws `IncompleteConfiguration` with everything that is missing, and then closes
 * everything. `onWait` as in `openDeps`: only a shop with all settings waits for its database.
 */
export async function openProduction(settings: Settings, onWait?: (problem: string) => void): Promise<OpenedDeps> {
  const missing = missingSettings(settings);
  // without `DATABASE_URL` there is no database to check, and none is created
  if (missing.some(({ name }) => name === 'DATABASE_URL')) throw new IncompleteConfiguration([...missing, brandToo]);
  // nothing is signed before the secret is set, and none is generated
  const SIGNING_SECRET = settings.SIGNING_SECRET ?? '';
  const waiting = missing.length === 0 ? { onWait } : {};
  const opened = await openDeps({ ...settings, SIGNING_SECRET }, undefined, waiting).catch((error: unknown): never => {
    if (error instanceof SandboxMismatch) throw error;
    const why = databaseProblemOf(error);
    if (why === undefined) throw error;
    throw new IncompleteConfiguration([
      ...missing,
      { name: 'DATABASE_URL', remedy: `the database cannot be used: ${why}` },
    ]);
  });
  missing.push(...missingBrandSettings(settings, opened.deps.catalog.all()));
  if (missing.length === 0) return opened;
  await opened.close();
  throw new IncompleteConfiguration(missing);
}

/**
 * Reads the settings; throws `BadEnvironment`. Missing production settings are reported together with invalid ones, so
 * that the operator sees all problems at once.
 */
export function readAllSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  try {
    return readSettings(source);
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    throw new BadEnvironment([...error.problems, ...missingBeside(source, error)]);
  }
}

function missingBeside(source: Readonly<Record<string, string | undefined>>, { problems }: BadEnvironment): string[] {
  const bad = new Set(problems.map((line) => line.split(':')[0] ?? ''));
  try {
    const rest = readSettings(Object.fromEntries(Object.entries(source).filter(([name]) => !bad.has(name))));
    const missing = rest.SANDBOX ? [] : missingSettings(rest);
    return missing.filter(({ name }) => !bad.has(name)).map(({ name, remedy }) => `${name}: ${remedy}`);
  } catch (error) {
    // an invalid setting can hide others, such as SANDBOX, which must be set: it is reported first
    if (error instanceof BadEnvironment) return [];
    throw error;
  }
}
