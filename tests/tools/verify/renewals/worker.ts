import { openPostgres } from '#server/db/open-database.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import type { Asked, Told } from './worker-process.ts';
import { openRunner } from './world.ts';

/** A process of the shop that runs jobs on request, with the bank in its parent process. */
const send = (told: Told) => void process.send?.(told);
const waiting = new Map<number, (answer: unknown) => void>();
let callCount = 0;
const callBank =
  (method: string) =>
  (...args: unknown[]): Promise<never> =>
    new Promise((resolve) => {
      callCount += 1;
      // as: the bank returns the result of the method
      waiting.set(callCount, resolve as (answer: unknown) => void);
      send({ does: 'call', id: callCount, method, args });
    });
const gateway: PaymentGateway = {
  takes: () => true,
  authorise: callBank('authorise'),
  inquire: callBank('inquire'),
  cancel: callBank('cancel'),
  chargeSaved: callBank('chargeSaved'),
  storeCard: callBank('storeCard'),
  removeStoredCard: callBank('removeStoredCard'),
  refund: callBank('refund'),
  verifyNotice: callBank('verifyNotice'),
};

const clock = { now: 0 };
const opened = await openPostgres(process.argv[2] ?? '', createLog('silent'), { contents: demoContents });
const run = await openRunner({
  db: opened.db,
  gateway,
  clock,
  complain: (words) => send({ does: 'complain', words }),
});
async function handleMessage(message: Asked): Promise<void> {
  if (message.does === 'answer') {
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
    return;
  }
  clock.now = message.now;
  send({ does: 'end', end: await run(message.job, message.fault) });
}
// as: only the parent process sends messages
process.on('message', (message) => void handleMessage(message as Asked));
process.on('disconnect', () => process.exit());
send({ does: 'end', end: 'open' });
