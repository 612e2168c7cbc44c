import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '#server/brand/catalog.ts';
import type { UserRow } from '#server/auth/users.ts';
import { openEmbedded, openMigrated, FolderVersionMismatch } from '#server/db/open-database.ts';
import { DatabaseUnusable, type OpenedDatabase } from '#server/db/connect.ts';
import { ForeignSocket, isDatabaseServed, serveDatabase, socketUrl } from '#server/db/database-socket.ts';
import { DataFolderInUse, assertSigningSecret, SigningSecretMismatch } from '#server/db/lock.ts';
import { countPendingMigrations } from '#server/db/migrate.ts';
import { SandboxMismatch } from '#server/runtime/wiring/simulated-money.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { createLog } from '#server/runtime/log.ts';
import { contentsOf, openDeps, type OpenedDeps, loadSandbox } from '#server/runtime/wiring/open-deps.ts';
import { findCustomerByUid, findCustomersByName } from '#server/auth/sign-on/sso.ts';
import { OperatorError, type OptionText, type ShopContext } from './command.ts';

type OpenOptions = Partial<Record<'mayBeNew' | 'withoutTimeout' | 'replacesSecret', boolean>>;

/**
 * Opens the shop for a command, as a PostgreSQL client: by `DATABASE_URL`, or at the socket of a demo. With `mayBeNew`
 * a missing data folder is created, as the demo does at its first start.
 */
export async function openShop(
  settings: Settings,
  { mayBeNew = false, withoutTimeout = false, replacesSecret = false }: OpenOptions = {},
): Promise<OpenedDeps> {
  const quiet = { ...settings, LOG_LEVEL: 'error' as const };
  const opened = settings.DATABASE_URL === undefined ? await openDemoDatabase(quiet, mayBeNew) : undefined;
  const shop = await openDeps(quiet, undefined, { withoutTimeout, ...(opened && { opened }) }).catch(explainFailure);
  // a command without the secret signs nothing
  if (opened || settings.SIGNING_SECRET === undefined || replacesSecret) return shop;
  await assertSigningSecret(shop.deps.db, shop.deps.env).catch(async (error: unknown) => {
    await shop.close();
    if (error instanceof SigningSecretMismatch) throw new OperatorError(`${error.message}.`);
    throw error;
  });
  return shop;
}

/** The database of a demo: of the running one, or served by this process while the command runs. */
async function openDemoDatabase(settings: Settings, mayBeNew: boolean): Promise<OpenedDatabase> {
  const { DATA_DIR, SANDBOX, LOG_LEVEL } = settings;
  if (!SANDBOX)
    throw new OperatorError(
      'DATABASE_URL is missing: set it to the value that the shop uses. Only a demo works without it.',
    );
  const isRunning = await isDatabaseServed(DATA_DIR).catch(explainFailure);
  const stopServing = isRunning ? undefined : await serveFolder(settings, mayBeNew);
  const { db, close } = openMigrated(socketUrl(DATA_DIR), createLog(LOG_LEVEL), { withoutTimeout: true });
  const { waiting, newer } = await countPendingMigrations(db);
  const opened = {
    db,
    close: async () => {
      await close();
      await stopServing?.();
    },
  };
  if (waiting + newer === 0) return opened;
  await opened.close();
  throw new OperatorError('The running demo is of another version. Restart it.');
}

async function serveFolder(settings: Settings, mayBeNew: boolean): Promise<() => Promise<void>> {
  const { DATA_DIR } = settings;
  if (!mayBeNew && !existsSync(join(DATA_DIR, 'pgdata'))) {
    throw new OperatorError(
      `There is no shop in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as the shop has them, or start the demo with \`npm start\`.`,
    );
  }
  const contents = contentsOf(settings, settings.SANDBOX ? await loadSandbox() : null);
  const { client, close } = await openEmbedded(DATA_DIR, { contents }).catch(explainFailure);
  try {
    const stop = await serveDatabase(client, DATA_DIR);
    return async () => {
      await stop();
      await close();
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function explainFailure(error: unknown): never {
  const isExplained = [SandboxMismatch, FolderVersionMismatch, ForeignSocket].some((kind) => error instanceof kind);
  if (isExplained && error instanceof Error) throw new OperatorError(`${error.message}.`);
  if (error instanceof DatabaseUnusable) throw new OperatorError(`DATABASE_URL: ${error.message}.`);
  if (!(error instanceof DataFolderInUse)) throw error;
  throw new OperatorError(
    `${error.message}: the demo is running, but does not serve its database to commands. Its log says why; start it again.`,
  );
}

export const brandOption: OptionText = { required: true, value: 'code', summary: 'code of the brand, such as lumen' };

export function brandOf({ catalog }: Pick<Deps, 'catalog'>, code: string): Brand {
  const brand = catalog.byCode(code);
  if (brand) return brand;
  const all = catalog.all().map((one) => one.code);
  const known = all.length === 0 ? "Apply its folder first: 'brand apply'" : `There are: ${all.join(', ')}`;
  throw new OperatorError(`There is no brand ${code}. ${known}.`);
}

/** The code of the brand that an option names, if it was given. */
export function brandCodeOption(deps: Pick<Deps, 'catalog'>, code: string | undefined): string | undefined {
  return code === undefined ? undefined : brandOf(deps, code).code;
}

/** The customer with this address, number with its area code, or uid. */
export async function customerOfBrand({ db }: Pick<Deps, 'db'>, brand: Brand, account: string): Promise<UserRow> {
  const [called, ...others] = await findCustomersByName(db, brand, account);
  if (others.length > 0) {
    throw new OperatorError(`${account} matches several customers of ${brand.name}. Write + and the country's code.`);
  }
  const user = called ?? (await findCustomerByUid(db, brand.code, account.trim()));
  if (user) return user;
  throw new OperatorError(`${brand.name} has no customer ${account}.`);
}

/** What another secret signs is rejected by a shop on PostgreSQL, so the command requires the shop's own. */
export function assertOwnSecret({ settings: { DATABASE_URL, SIGNING_SECRET } }: Pick<ShopContext, 'settings'>): void {
  if (DATABASE_URL === undefined || SIGNING_SECRET !== undefined) return;
  throw new OperatorError('Set SIGNING_SECRET to the value that the shop uses: this command needs it.');
}
