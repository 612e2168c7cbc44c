import type { OutputFields, ShopCommand, ShopContext } from './command.ts';
import { brandCodeOption } from './open-shop.ts';
import { listDisputesCommand } from './order-list.ts';
import { orphansCommand, unknownPaymentsCommand } from './orphans.ts';
import { heldRenewalsCommand } from './renewals.ts';
import { transfersCommand } from './transfers.ts';
import { listWebhooksCommand } from './webhooks.ts';
import { listWithdrawalsCommand } from './withdrawals.ts';

interface TaskList {
  readonly task: string;
  /** the list that has these tasks, each with its facts */
  readonly list: ShopCommand;
  /** an option of the list */
  readonly option?: string;
  /** which of its lines are such a task; default: all */
  readonly has?: (facts: OutputFields) => boolean;
  /** the fact that says since when it waits */
  readonly since: string;
  /** the fact that says until when it has to be done */
  readonly due?: string;
}

const taskLists: readonly TaskList[] = [
  { task: 'answer disputes', list: listDisputesCommand, option: 'open', since: 'opened', due: 'respondBy' },
  { task: 'review proofs', list: transfersCommand, has: ({ task }) => task === 'review', since: 'since' },
  { task: 'send refunds', list: transfersCommand, has: ({ task }) => task === 'refund', since: 'since' },
  { task: 'refund withdrawals', list: listWithdrawalsCommand, has: ({ by }) => by === 'hand', since: 'requested' },
  { task: 'look up orphaned payments', list: orphansCommand, since: 'since' },
  { task: 'look up unknown payments', list: unknownPaymentsCommand, since: 'at' },
  // the shop still asks the providers of the others
  { task: 'release renewals', list: heldRenewalsCommand, has: ({ asking }) => asking === false, since: 'chargeAt' },
  { task: 'repeat webhooks', list: listWebhooksCommand, option: 'given-up', since: 'created' },
];

/** Summarizes the lists of what only a person can do: count, age, and next deadline. */
export const listTasksCommand: ShopCommand = {
  name: 'tasks list',
  summary: 'counts what waits for a person, with the command that lists it',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, shop) => {
    const brand = brandCodeOption(shop.deps, given['brand']);
    let shown = 0;
    for (const one of taskLists) {
      // a notice of a provider for no order names no brand
      if (brand !== undefined && !('brand' in one.list.options)) continue;
      const all = await factsOf(one, shop, brand);
      if (all.length === 0) continue;
      const option = one.option === undefined ? '' : ` --${one.option}`;
      const [since, due] = [earliest(all, one.since), one.due === undefined ? null : earliest(all, one.due)];
      shop.row({ task: one.task, count: all.length, since, due, command: `${one.list.name}${option}` });
      shown += 1;
    }
    if (shown === 0) shop.explain('Nothing waits for a person.');
  },
};

/** More than anybody can do in a day; the lists end there. */
const most = '10000';

/** The lines that a list prints. */
async function factsOf({ list, option, has }: TaskList, shop: ShopContext, brand: string | undefined) {
  const all: OutputFields[] = [];
  const row = (facts: OutputFields) => void ((has?.(facts) ?? true) && all.push(facts));
  const limit = 'limit' in list.options ? { limit: most } : {};
  const given = { ...limit, ...(brand !== undefined && { brand }), ...(option !== undefined && { [option]: 'true' }) };
  await list.inShop(given, { ...shop, row, explain: () => {} });
  return all;
}

function earliest(all: readonly OutputFields[], name: string): string | null {
  const times = all.flatMap(({ [name]: time }) => (typeof time === 'string' ? time : []));
  return times.sort()[0] ?? null;
}
