import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '#server/brand/catalog.ts';
import type { UserRow } from '#server/auth/find-user.ts';
import { DatabaseUnusable } from '#server/db/database-problem.ts';
import { OtherFolderVersion } from '#server/db/folder-version.ts';
import { DataFolderInUse } from '#server/db/lock.ts';
import { assertSigningSecret, SigningSecretMismatch } from '#server/db/signing-check.ts';
import { SandboxMismatch } from '#server/runtime/wiring/pretended-money.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { openDeps, type OpenedDeps } from '#server/runtime/wiring/open-deps.ts';
import { byUid, customersCalled } from '#server/auth/sign-on/sso-customer.ts';
import { OperatorError, type OptionText } from './command.ts';

type Wish = Partial<Record<'mayBeNew' | 'patient' | 'replacesSecret', boolean>>;

/**
 * Opens the shop for a command. On PostgreSQL at any time; the embedded database belongs to one process ([Note: Desk]). With
 * `mayBeNew` a data folder that is not there yet is made, as the shop would at its first start.
 */
export async function openShop(
  settings: Settings,
  { mayBeNew = false, patient = false, replacesSecret = false }: Wish = {},
): Promise<OpenedDeps> {
  const { DATABASE_URL, DATA_DIR } = settings;
  if (!mayBeNew && DATABASE_URL === undefined && !existsSync(join(DATA_DIR, 'pgdata'))) {
    throw new OperatorError(`There is no shop in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as the shop has them.`);
  }
  const shop = await openDeps({ ...settings, LOG_LEVEL: 'error' }, undefined, { patient }).catch(tellIfInUse);
  // a command that is given no secret signs nothing
  if (DATABASE_URL === undefined || settings.SIGNING_SECRET === undefined || replacesSecret) return shop;
  await assertSigningSecret(shop.deps.db, shop.deps.env).catch(async (error: unknown) => {
    await shop.close();
    if (error instanceof SigningSecretMismatch) throw new OperatorError(`${error.message}.`);
    throw error;
  });
  return shop;
}

function tellIfInUse(error: unknown): never {
  if (error instanceof SandboxMismatch || error instanceof OtherFolderVersion)
    throw new OperatorError(`${error.message}.`);
  if (error instanceof DatabaseUnusable) throw new OperatorError(`DATABASE_URL: ${error.message}.`);
  if (!(error instanceof DataFolderInUse)) throw error;
  throw new OperatorError(
    `${error.message}: the shop is running and does not listen to commands. Start it again, and look into its log.`,
  );
}

export const brandOption: OptionText = { required: true, value: 'code', summary: 'code of the brand, such as lumen' };

export function brandOf({ catalog }: Pick<Deps, 'catalog'>, code: string): Brand {
  const brand = catalog.byCode(code);
  if (brand) return brand;
  const all = catalog.all().map((one) => one.code);
  throw new OperatorError(`There is no brand ${code}. There are: ${all.join(', ')}.`);
}

/** The code of the brand that an option names, where it was given. */
export function brandGiven(deps: Pick<Deps, 'catalog'>, code: string | undefined): string | undefined {
  return code === undefined ? undefined : brandOf(deps, code).code;
}

/** The customer whom an address, a number with its area code, or a uid names. */
export async function customerOfBrand({ db }: Pick<Deps, 'db'>, brand: Brand, account: string): Promise<UserRow> {
  const [called, ...others] = await customersCalled(db, brand, account);
  if (others.length > 0) {
    throw new OperatorError(`${account} names several customers of ${brand.name}. Write + and the country's code.`);
  }
  const user = called ?? (await byUid(db, brand.code, account.trim()));
  if (user) return user;
  throw new OperatorError(`${brand.name} has no customer ${account}.`);
}
