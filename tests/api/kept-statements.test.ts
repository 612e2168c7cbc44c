import { expect, test } from 'vitest';
import { openMemory } from '#server/db/connect.ts';
import { demonstration } from '#sandbox/demonstration.ts';

/** Each is three statements, and plans are made anew every 2,000, but not in here: it could come before each of the three. */
const parts = 2010;

test('on the embedded database a part of a transaction that fails is undone alone, however many there are', async () => {
  const { client, close } = await openMemory(demonstration);
  await client.query('create table parts (n int primary key)');
  let refused = 0;
  await client.transaction(async (tx) => {
    await tx.query('insert into parts values (0)');
    for (let part = 0; part < parts; part += 1) {
      await tx.query('savepoint part');
      await tx.query('insert into parts values (0)').catch(({ code }) => (refused += code === '23505' ? 1 : 0));
      await tx.query('rollback to savepoint part');
    }
    await tx.query('insert into parts values (1)');
  });
  expect(refused).toBe(parts);
  expect((await client.query('select n from parts order by n')).rows).toEqual([{ n: 0 }, { n: 1 }]);
  await close();
});
