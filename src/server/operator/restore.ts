import { systemRandom } from '#server/runtime/random.ts';
import { instantOf } from './answers.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { need, OperatorError, type ShopCommand } from './command.ts';
import { settleRestored } from './restored-rows.ts';

/** Run after `pg_restore` ([Note: Restore]). */
export const restoredCommand: ShopCommand = {
  name: 'restored',
  patient: true,
  summary: 'after pg_restore and before the shop starts: holds renewals, ends sessions, sends no mail twice',
  options: {
    'backup-at': { required: true, value: 'time', summary: 'when pg_dump began, such as 2026-11-23T02:00:00Z' },
    ...auditOptions,
  },
  inShop: async (given, { deps: { db, clock }, done, explain }) => {
    const at = Date.parse(need(given, 'backup-at'));
    if (!(at <= clock())) throw new OperatorError('--backup-at is no time of the past.', { badUsage: true });
    const restored = await db.transaction(async (tx) => {
      const settled = await settleRestored(tx, clock());
      const detail = { backupAt: instantOf(at), ...settled };
      await writeAudit(tx, given, { command: 'restore', detail }, { clock, random: systemRandom });
      return settled;
    });
    done('Sessions have ended, mail that waited is not sent, and renewals are held.', { ...restored });
    explain(whatIsLeft(instantOf(at)));
  },
};

const whatIsLeft = (at: string | null) =>
  `What happened after ${at} is not known here. Look into the books of each provider for payments since then and give ` +
  'back or grant by hand what is missing; `orders unknown` lists what providers tell of when the shop runs. Renewals whose ' +
  'day was since are held and asked about: `renewals held` lists them in a quarter of an hour, `renewals release` lets ' +
  'them be charged. Refunds, blocks, deletions, new passwords and cards, given since then, have to be given again.';
