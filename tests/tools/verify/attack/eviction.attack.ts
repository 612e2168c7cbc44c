import { racingAccessPaths, survivingSessions } from '#tests/builders/eviction-race.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Attack } from './attack.ts';

const rounds = 60;
/** The approximate time of a password change, mostly for two hashes. */
const spanMs = 120;

const pairs = (['change', 'block'] as const).flatMap((eviction) =>
  racingAccessPaths.map((way) => [way, eviction] as const),
);

export const attack: Attack = {
  holds: 'no session that is opened during an eviction remains open, by any method and at any time',
  run: async (say) => {
    const { db, close } = await openOnPostgres();
    try {
      const shop = await testApp({ db, env: { SSO_APP_SECONDS: '9000', SSO_QR_SECONDS: '9000' } });
      const chance = seededRandom(20_261_122);
      for (const [way, eviction] of pairs) {
        const delays = Array.from({ length: rounds }, () => chance.next() * spanMs);
        const open = await survivingSessions(shop, [way, eviction], delays);
        say(`${eviction}, ${way}: ${open} of ${rounds} sessions are open`);
        if (open > 0) throw new Error(`${open} sessions are open after a ${eviction}: ${way}`);
      }
    } finally {
      await close();
    }
  },
};
