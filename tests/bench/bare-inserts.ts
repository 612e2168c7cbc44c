/**
 * What the bare database can do: rows inserted one by one into one table with a key and an index, each in a commit of
 * its own, in a data folder on disk. Prints inserts per second as JSON. Run as a process of its own:
 * `node bare-inserts.ts <folder> <count>`.
 */
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';

const [folder = '', count = '500'] = process.argv.slice(2);
const db = await PGlite.create(folder);
await db.exec(
  'create table bench (id text primary key, owner text not null, total bigint not null, at bigint not null)',
);
await db.exec('create index bench_owner on bench (owner, at)');
const insert = (at: number) => db.query('insert into bench values ($1, $2, $3, $4)', [randomUUID(), 'ana', 4990, at]);
for (let index = 0; index < 50; index += 1) await insert(index);
const started = performance.now();
for (let index = 0; index < Number(count); index += 1) await insert(index);
console.log(JSON.stringify({ perSecond: (Number(count) * 1000) / (performance.now() - started) }));
await db.close();
