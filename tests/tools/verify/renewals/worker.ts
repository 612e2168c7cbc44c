import { openPostgres } from '#server/db/open-database.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demonstration.ts';
import type { Asked, Told } from './worker-process.ts';
import { openRunner } from './world.ts';

/** A process of the shop that runs jobs when it is told to, and asks a bank that lives in the process that started it. */
const say = (told: Told) => void process.send?.(told);
const waiting = new Map<number, (answer: unknown) => void>();
let asked = 0;
const ask =
  (method: string) =>
  (...args: unknown[]): Promise<never> =>
    new Promise((resolve) => {
      asked += 1;
      // as: the bank answers what its own method does
      waiting.set(asked, resolve as (answer: unknown) => void);
      say({ does: 'call', id: asked, method, args });
    });
const gateway: PaymentGateway = {
  takes: () => true,
  authorise: ask('authorise'),
  inquire: ask('inquire'),
  cancel: ask('cancel'),
  chargeSaved: ask('chargeSaved'),
  storeCard: ask('storeCard'),
  removeStoredCard: ask('removeStoredCard'),
  refund: ask('refund'),
  verifyNotice: ask('verifyNotice'),
};

const clock = { now: 0 };
const opened = await openPostgres(process.argv[2] ?? '', createLog('silent'), { contents: demoContents });
const run = await openRunner({
  db: opened.db,
  gateway,
  clock,
  complain: (words) => say({ does: 'complain', words }),
});
async function hear(told: Asked): Promise<void> {
  if (told.does === 'answer') {
    waiting.get(told.id)?.(told.answer);
    waiting.delete(told.id);
    return;
  }
  clock.now = told.now;
  say({ does: 'end', end: await run(told.job, told.fault) });
}
// as: only the process that started this one sends any
process.on('message', (message) => void hear(message as Asked));
process.on('disconnect', () => process.exit());
say({ does: 'end', end: 'open' });
