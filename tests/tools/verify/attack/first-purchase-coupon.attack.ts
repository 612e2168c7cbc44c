import { openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { aShop } from '#tests/builders/a-shop.ts';
import { playRound, rounds } from '#tests/builders/first-purchase-rounds.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import type { Attack } from './attack.ts';

const times = 200;

/** Customers try to use a first-purchase discount twice by concurrent requests, over two processes of one shop. */
export const attack: Attack = {
  holds: 'no customer gets the discount for a first purchase twice',
  run: async (say) => {
    const postgres = await startPostgres();
    const log = createLog('silent');
    const opened = [
      await openPostgres(postgres.url, log, { contents: demoContents }),
      await openPostgres(postgres.url, log, { contents: demoContents }),
    ];
    try {
      const shops = await Promise.all(opened.map(({ db }) => aShop(db)));
      const counts = new Map<number, number>();
      for (let time = 0; time < times; time += 1) {
        const round = rounds[time % rounds.length];
        if (!round) throw new Error('no round');
        const { answers, wrong } = await playRound(shops, round);
        if (wrong.length > 0) throw new Error(`round ${time + 1}, ${round.says}: ${wrong.join('; ')}`);
        for (const { code } of answers) counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      const totals = [...counts].map(([code, count]) => `${code}: ${count}`);
      say(`${times} rounds; answers by code: ${totals.join(', ')}`);
    } finally {
      await Promise.all(opened.map(({ close }) => close()));
      await postgres.stop();
    }
  },
};
