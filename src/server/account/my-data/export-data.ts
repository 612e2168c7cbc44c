import type * as contract from '#contract/my-data.ts';
import { assertConfirmed } from '#server/auth/confirm-owner.ts';
import type { Deps } from '#server/deps.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { ownerOf, personalTables, shownColumns } from './personal-tables.ts';
import { findReceipts } from './receipts.ts';
import { supportedLanguage } from '#server/auth/create-user.ts';

const dayMs = 24 * 60 * 60_000;
const exportsADay = { tries: 10, windowMs: dayMs };
/** Pages of receipts; a download needs one for each fifty receipts. */
const receiptPagesADay = { tries: 400, windowMs: dayMs };
/** More rows of one kind than any customer has. */
const mostRows = 20_000;

async function countExport(
  { deps, brand, user, refuse }: CustomerContext<'tooFrequent'>,
  what: string,
  limit: typeof exportsADay,
): Promise<void> {
  const taken = await countTry(deps.db, `${what} ${brand.code} ${user.uid}`, limit, deps.clock());
  if (!taken.allowed) return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
}

export type PersonalData = Record<string, Record<string, unknown>[]>;

/**
 * All stored data of a customer that may be shown, table by table, so that no statement reads more than one of them.
 */
export async function personalDataOf(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  user: Parameters<typeof ownerOf>[0],
): Promise<PersonalData> {
  const owner = ownerOf(user);
  const data: PersonalData = {};
  for (const [name, personal] of Object.entries(personalTables)) {
    if (personal.hidden === 'all') continue;
    const rows: Record<string, unknown>[] = await db
      .select(shownColumns(personal))
      .from(personal.table)
      .where(personal.whose(owner))
      .limit(mostRows);
    data[name] = rows.map((row) => personal.readable?.(row, owner, env) ?? row);
  }
  return data;
}

export const exportData: Handler<typeof contract.exportData> = async ({ body }, context) => {
  assertConfirmed(context, 'data', body.confirmation);
  await countExport(context, 'data export', exportsADay);
  const { deps, brand, user } = context;
  return { brand: brand.name, exportedAt: deps.clock(), data: await personalDataOf(deps, user) };
};

export const exportReceipts: Handler<typeof contract.exportReceipts> = async ({ body }, context) => {
  assertConfirmed(context, 'data', body.confirmation);
  await countExport(context, 'receipt pages', receiptPagesADay);
  return findReceipts(context, { after: body.after, language: supportedLanguage(context.brand, body.language) });
};
