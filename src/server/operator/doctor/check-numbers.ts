import { and, asc, eq, inArray, ne, or } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import { deletedUserType } from '#server/auth/users.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { noteFinding, okFinding, type Finding } from './finding.ts';

/** Account IDs are random, so the first ones are a random sample. */
const sampleSize = 10_000;
/** More would hide the other findings; the rest is listed once these are resolved. */
const mostNamed = 20;

const what = 'phone numbers';
const advice =
  'both can log in, each by its own spelling; compare them with `customers show`, ask their owner which one to keep, ' +
  'and end the other one with `customers delete`';

/**
 * Accounts with the same phone number at one brand. Earlier versions stored numbers as they were typed, and only the
 * owner can say which of two accounts is right: no migration merges the purchases of two people. Reads `most` accounts
 * however many there are, and the accounts that have the canonical spelling of their numbers, by index.
 */
export async function checkNumbers(db: Database, most = sampleSize): Promise<Finding[]> {
  const sample = await db.select(columns).from(users).orderBy(asc(users.uid)).limit(most);
  const read = sample.flatMap(numbersOf);
  const owners = new Map<string, Set<string>>();
  for (const { brand, number, uid } of [...read, ...(await findTwins(db, read))]) {
    const key = `${brand} ${number}`;
    owners.set(key, (owners.get(key) ?? new Set()).add(uid));
  }
  const doubles = [...owners].filter(([, uids]) => uids.size > 1);
  const extent = sample.length < most ? '' : `, by a sample of ${most} accounts`;
  if (doubles.length === 0) return [okFinding(what, `each belongs to one account${extent}`)];
  const named = doubles.slice(0, mostNamed).map(([key, uids]) => {
    const [brand = '', number = ''] = key.split(' ');
    return noteFinding(what, `${brand}: ${maskAccount(number)} is of ${uids.size} accounts: ${[...uids].join(', ')}`);
  });
  const count = doubles.length === 1 ? 'one number' : `${doubles.length} numbers`;
  return [...named, noteFinding(what, `${count} of several accounts${extent}: ${advice}`)];
}

const { uid, brand, account, phone, accountType, areaCode, userType } = users;
const columns = { uid, brand, account, phone, accountType, areaCode, userType };

interface StoredNumber {
  readonly brand: string;
  readonly uid: string;
  readonly stored: string;
  /** in its canonical spelling */
  readonly number: string;
}

function numbersOf(row: Pick<typeof users.$inferSelect, keyof typeof columns>): StoredNumber[] {
  if (row.userType === deletedUserType) return [];
  const stored = [...(row.accountType === 'phone' ? [row.account] : []), ...(row.phone === null ? [] : [row.phone])];
  return [...new Set(stored)].map((digits) => ({
    brand: row.brand,
    uid: row.uid,
    stored: digits,
    number: canonicalNumber(`+${digits}`, row.areaCode ?? '')?.digits ?? digits,
  }));
}

/** The accounts that have the canonical spelling of a number which was stored in another one. */
async function findTwins(db: Database, read: readonly StoredNumber[]): Promise<StoredNumber[]> {
  const respelled = Map.groupBy(
    read.filter(({ stored, number }) => stored !== number),
    (one) => one.brand,
  );
  const found: StoredNumber[] = [];
  for (const [code, ofBrand] of respelled) {
    const numbers = [...new Set(ofBrand.map(({ number }) => number))];
    const hasOne = or(inArray(account, numbers), inArray(phone, numbers));
    const rows = await db
      .select(columns)
      .from(users)
      .where(and(eq(brand, code), ne(userType, deletedUserType), hasOne));
    found.push(...rows.flatMap(numbersOf));
  }
  return found;
}
