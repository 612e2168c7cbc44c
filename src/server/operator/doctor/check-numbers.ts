import { and, asc, gt, isNotNull, ne, or, eq } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import { goneType } from '#server/auth/find-user.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { canonicalNumber } from '#server/runtime/phone-number.ts';
import { note, ok, type Finding } from './finding.ts';

const pageSize = 5000;
/** More would hide the other findings; the rest is listed once these are resolved. */
const mostNamed = 20;

const advice =
  'both can log in, each by its own spelling; compare them with `customers show`, ask their owner which one to keep, ' +
  'and end the other one with `customers delete`';

/**
 * Accounts with the same phone number at one brand. Earlier versions stored numbers as they were typed, and only the
 * owner can say which of two accounts is right: no migration merges the purchases of two people.
 */
export async function checkNumbers(db: Database): Promise<Finding[]> {
  const owners = new Map<string, string[]>();
  for await (const { brand, uid, number } of storedNumbers(db)) {
    const key = `${brand} ${number}`;
    owners.set(key, [...(owners.get(key) ?? []), uid]);
  }
  const doubles = [...owners].filter(([, uids]) => uids.length > 1);
  if (doubles.length === 0) return [ok('phone numbers', 'each is of one account')];
  const named = doubles.slice(0, mostNamed).map(([key, uids]) => {
    const [brand = '', number = ''] = key.split(' ');
    return note('phone numbers', `${brand}: ${maskAccount(number)} is of ${uids.length} accounts: ${uids.join(', ')}`);
  });
  const count = doubles.length === 1 ? 'one number' : `${doubles.length} numbers`;
  return [...named, note('phone numbers', `${count} of several accounts: ${advice}`)];
}

async function* storedNumbers(db: Database): AsyncGenerator<{ brand: string; uid: string; number: string }> {
  let after = '';
  for (;;) {
    const rows = await db
      .select({
        uid: users.uid,
        brand: users.brand,
        account: users.account,
        phone: users.phone,
        type: users.accountType,
        areaCode: users.areaCode,
      })
      .from(users)
      .where(
        and(
          gt(users.uid, after),
          ne(users.userType, goneType),
          or(isNotNull(users.phone), eq(users.accountType, 'phone')),
        ),
      )
      .orderBy(asc(users.uid))
      .limit(pageSize);
    for (const { uid, brand, account, phone, type, areaCode } of rows) {
      const stored = [...(type === 'phone' ? [account] : []), ...(phone === null ? [] : [phone])];
      const numbers = stored.map((digits) => canonicalNumber(`+${digits}`, areaCode ?? '')?.digits ?? digits);
      for (const number of new Set(numbers)) yield { brand, uid, number };
    }
    after = rows.at(-1)?.uid ?? '';
    if (rows.length < pageSize) return;
  }
}
