import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { isUndeliverable, isWaitingMessage, outbox } from '#server/db/schema/outbox.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { hasOption, requireOption, numberOption, OperatorError, instantOf, type ShopCommand } from './command.ts';
import { maskAccount } from '#contract/mask.ts';
import { clearBounce, findBounce } from '#server/messages/bounces.ts';
import { mayBeMore } from './wording.ts';

type Message = typeof outbox.$inferSelect;

/** Without the codes that would let a reader into an account. IDs of orders have letters, and remain. */
const withoutCodes = (subject: string) =>
  subject.replaceAll(/(?<![\p{L}\d])\d[\d\s-]*(?![\p{L}\d])/gu, (code) => code.replaceAll(/\d/g, '•'));

const facts = (
  { id, brand, channel, recipient, subject, asked, createdAt, expiresAt, tries, nextTryAt, lastAnswer }: Message,
  isLost: boolean,
) => ({
  id,
  brand,
  channel,
  recipient,
  subject: asked ? withoutCodes(subject) : subject,
  created: instantOf(createdAt),
  // giving up sets the column to the maximum, however often it was tried
  tries: isLost ? null : tries,
  nextTry: instantOf(isLost ? null : nextTryAt),
  // of a code: a try after that does not send it
  expires: instantOf(expiresAt),
  answer: lastAnswer,
});

export const listOutboxCommand: ShopCommand = {
  name: 'outbox list',
  summary: 'shows queued mail and SMS, the next to be sent first',
  options: {
    'given-up': { summary: 'shows undeliverable messages instead, newest first' },
    limit: { value: 'number', summary: 'lines at most (50)' },
  },
  inShop: async (given, { deps, row, explain }) => {
    const most = numberOption(given, 'limit', { usual: 50, most: 10_000 });
    const isLost = hasOption(given, 'given-up');
    const rows = await deps.db
      .select()
      .from(outbox)
      .where(isLost ? isUndeliverable(outbox) : isWaitingMessage(outbox))
      .orderBy(isLost ? desc(outbox.createdAt) : asc(outbox.nextTryAt))
      .limit(most);
    for (const message of rows) row(facts(message, isLost));
    if (rows.length === 0) explain(isLost ? 'No undeliverable messages.' : 'No queued messages.');
    if (rows.length === most) explain(mayBeMore(most));
  },
};

/** Dropped messages are emptied, because their links and codes give access to accounts. */
export const retryOutboxCommand: ShopCommand = {
  name: 'outbox retry',
  summary: 'retries one queued message, or all of them, now',
  words: ['id|all'],
  options: auditOptions,
  inShop: async (given, { deps, done }) => {
    const which = requireOption(given, 'id|all');
    const now = deps.clock();
    const due = await deps.db.transaction(async (tx) => {
      const only = which === 'all' ? sql`${outbox.nextTryAt} > ${now}` : eq(outbox.id, which);
      const changed = await tx
        .update(outbox)
        .set({ nextTryAt: now })
        .where(and(isWaitingMessage(outbox), only))
        .returning({ id: outbox.id });
      const change = { command: 'outbox retry', subject: which, detail: { messages: changed.length } };
      if (changed.length > 0) await writeAudit(tx, given, change, deps);
      return changed.length;
    });
    if (due === 0 && which !== 'all') {
      throw new OperatorError(
        `No message ${which} waits. What was sent or given up is emptied, because it may hold what opens an account: have it asked for again.`,
      );
    }
    done(`${due} ${due === 1 ? 'message is' : 'messages are'} tried now.`, { messages: due });
  },
};

const options = { address: { required: true, value: 'address', summary: 'the address that mail goes to' } } as const;

export const showBounceCommand: ShopCommand = {
  name: 'bounces show',
  summary: 'shows whether mail to an address bounces (permanent) or was reported as spam (complaint)',
  options,
  inShop: async (given, { deps, show }) => {
    const address = requireOption(given, 'address');
    const bounce = await findBounce(deps, address);
    show({ address, bounces: bounce?.kind ?? null, since: instantOf(bounce?.at ?? null) });
  },
};

export const clearBounceCommand: ShopCommand = {
  name: 'bounces clear',
  summary: 'clears the bounce of an address, so that mail is sent to it again',
  options: { ...options, ...auditOptions },
  inShop: async (given, { deps, done }) => {
    const address = requireOption(given, 'address');
    await deps.db.transaction(async (tx) => {
      if (!(await clearBounce({ ...deps, db: tx }, address)))
        throw new OperatorError(`No mail has bounced from ${address}.`);
      const change = { command: 'bounces clear', brand: null, subject: maskAccount(address) };
      await writeAudit(tx, given, change, deps);
    });
    done(`Mail goes to ${address} again.`, { address });
  },
};
