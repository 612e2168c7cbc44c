import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '../brand/catalog.ts';
import { findUser, type UserRow } from '../auth/find-user.ts';
import { FolderInUse } from '../db/lock.ts';
import { PretendedMoney } from '../db/pretended-money.ts';
import type { Deps } from '../deps.ts';
import type { Settings } from '../env.ts';
import { openDeps } from '../open-deps.ts';
import { accountWritten } from '../sign-on/sso-customer.ts';
import { OperatorError } from './command.ts';

/** Works on the shop's own data. On PostgreSQL at any time; the embedded database belongs to one process. */
export async function inShop(settings: Settings, work: (deps: Deps) => Promise<void>): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = settings;
  if (DATABASE_URL === undefined && !existsSync(join(DATA_DIR, 'pgdata'))) {
    throw new OperatorError(`There is no shop in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as the shop has them.`);
  }
  const { deps, close } = await openDeps({ ...settings, LOG_LEVEL: 'error' }, undefined).catch(tellIfInUse);
  try {
    await work(deps);
  } finally {
    await close();
  }
}

function tellIfInUse(error: unknown): never {
  if (error instanceof PretendedMoney) throw new OperatorError(`${error.message}.`);
  if (!(error instanceof FolderInUse)) throw error;
  throw new OperatorError(
    `${error.message}: the shop is running. Stop it, do this, and start it again. On PostgreSQL (DATABASE_URL) this works at any time.`,
  );
}

export function brandOf({ catalog }: Pick<Deps, 'catalog'>, code: string): Brand {
  const brand = catalog.byCode(code);
  if (brand) return brand;
  const all = catalog.all().map((one) => one.code);
  throw new OperatorError(`There is no brand ${code}. There are: ${all.join(', ')}.`);
}

/** The customer whom an address or a number with its area code names. */
export async function customerOfBrand({ db }: Pick<Deps, 'db'>, brand: Brand, account: string): Promise<UserRow> {
  const user = await findUser(db, brand.code, accountWritten(account));
  if (user) return user;
  throw new OperatorError(`${brand.name} has no customer ${account}.`);
}
