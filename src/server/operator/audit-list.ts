import { and, desc, eq } from 'drizzle-orm';
import { auditLog } from '#server/db/schema/audit.ts';
import { instantOf } from './answers.ts';
import { numberGiven, OperatorError, type ShopCommand } from './command.ts';

/** Also for brands that no longer exist, so the code is not validated. */
export const auditCommand: ShopCommand = {
  name: 'audit list',
  summary: 'shows what operators have changed, and why, the newest first',
  options: {
    brand: { value: 'code', summary: 'of this brand only' },
    subject: { value: 'id', summary: 'about this uid, order or coupon of --brand' },
    limit: { value: 'number', summary: 'lines at most (50)' },
  },
  inShop: async (given, { deps, row, json }) => {
    const { brand, subject } = given;
    if (subject !== undefined && brand === undefined) {
      throw new OperatorError('--subject asks for --brand, too.', { badUsage: true });
    }
    const rows = await deps.db
      .select()
      .from(auditLog)
      .where(
        and(
          brand === undefined ? undefined : eq(auditLog.brand, brand),
          subject === undefined ? undefined : eq(auditLog.subject, subject),
        ),
      )
      .orderBy(desc(auditLog.at))
      .limit(numberGiven(given, 'limit', { usual: 50, most: 10_000 }));
    for (const { at, who, command, brand: of, subject: about, why, detail } of rows) {
      const what = Object.entries(detail).map(([name, value]) => `${name}=${value}`);
      row({
        at: instantOf(at),
        who,
        command,
        brand: of,
        subject: about,
        why,
        ...(json ? detail : { detail: what.join(' ') }),
      });
    }
  },
};
