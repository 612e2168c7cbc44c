import { takeDatabase } from '/work/main/tests/builders/test-database.ts';
import { playStories } from '/work/main/tests/proof/model/play.ts';
import { openStage } from '/work/main/tests/proof/model/world.ts';
import { sql } from 'drizzle-orm';
const d = await takeDatabase();
const stage = await openStage(d.db);
try {
  await playStories(stage, {
    runs: Number(process.argv[2] ?? 20),
    seed: process.argv[3] ? Number(process.argv[3]) : undefined,
  });
} catch (e) {
  console.info(String(e), e.cause);
}
const r = await d.db.execute(
  sql`select brand, method_code, status, count(*) from orders group by 1,2,3 order by 1,2,3`,
);
console.info((r as any).rows.map((x: any) => Object.values(x).join(' ')).join('\n'));
const m = await d.db.execute(sql`select before, after, count(*) from status_moves group by 1,2 order by 3 desc`);
console.info((m as any).rows.map((x: any) => Object.values(x).join(' ')).join('\n'));
process.exit(0);
