import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let shop: Shop;
beforeAll(async () => {
  cli = await startOperatorDemo();
  shop = cli.shop;
}, 60_000);
afterAll(() => cli?.close());

const tasks = async (...options: string[]) => (await cli.run('tasks', 'list', '--json', ...options)).facts;
const now = () => new Date(shop.clock.now).toISOString();

it('names what waits for a person, since when, until when, and the command that lists it', async () => {
  expect(await cli.run('tasks', 'list')).toMatchObject({ code: 0, out: [], told: 'Nothing waits for a person.\n' });

  const [ana] = await shop.buyers(1);
  const { orderId = '' } = (await ana?.pay())?.data ?? {};
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  await sendNotice(shop, aNotice(attempt?.id ?? '', { event: 'chargeback', stage: 'opened' }));
  const respondBy = shop.clock.now + 7 * 86_400_000;
  await shop.db.update(ledger).set({ respondBy }).where(eq(ledger.orderId, orderId));
  const opened = now();
  const dispute = { task: 'answer disputes', count: 1, since: opened, command: 'disputes list --open' };

  shop.clock.advance(60_000);
  const [proven, sentBack] = [await aTransfer(shop), await aTransfer(shop)];
  await proven.prove();
  await sentBack.prove();
  const uploaded = now();
  const review = { task: 'review proofs', since: uploaded, due: null, command: 'transfers list' };
  const stray = crypto.randomUUID();
  await sendNotice(shop, aNotice(stray));

  expect(await tasks()).toEqual([
    { ...dispute, due: new Date(respondBy).toISOString() },
    { ...review, count: 2 },
    { task: 'look up unknown payments', count: 1, since: uploaded, due: null, command: 'orders unknown' },
  ]);
  const done = ['orders', 'done', stray, '--why=refunded at the bank'];
  expect(await cli.run(...done)).toMatchObject({ code: 0, told: `Payment ${stray} is off the lists.\n` });
  expect((await cli.run('orders', 'unknown')).told).toContain('No provider has reported');
  expect(await cli.run(...done)).toMatchObject({ code: 1 });
  expect((await cli.run('audit', 'list', '--json')).facts[0]).toMatchObject({ command: 'orders done', subject: stray });

  await sentBack.accept();
  shop.clock.advance(60_000);
  await cli.run('orders', 'refund', sentBack.orderId, '--why=a ticket');
  expect(await tasks('--brand=mego')).toEqual([
    { ...review, count: 1 },
    { task: 'send refunds', count: 1, since: now(), due: null, command: 'transfers list' },
  ]);
  expect(await tasks('--brand=lumen')).toMatchObject([dispute]);
  await cli.run('transfers', 'done', sentBack.orderId, '--why=sent');
  await proven.reject();
  expect(await tasks('--brand=mego')).toEqual([]);
});

it('lists a queued message with the order that it is about', async () => {
  const about = 'We’ve received your payment (RS4NMYH6ESLRKSPPWP6VAQKE)';
  const mail = { brand: { code: 'lumen' }, to: 'ana@example.com', subject: about, text: 'x', html: 'x', asked: true };
  await queueMail(shop.db, mail, shop.deps);
  expect((await cli.run('outbox', 'list')).out.join()).toContain(about);
});
