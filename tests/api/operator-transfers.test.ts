import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { createLog } from '#server/runtime/log.ts';
import { runOperatorCommand } from '#server/operator/operator.ts';
import { acceptTransfer } from '#server/billing/review-transfer.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aPicture, aTransfer, byPayNow, uploadStep, type OwedTransfer } from '#tests/builders/a-transfer.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

/** The shop runs on PostgreSQL, because the embedded database belongs to one process at a time. */
let postgres: RunningPostgres;
let opened: OpenedDatabase;
let shop: Shop;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-transfers-'));
  postgres = await startPostgres({ filled: true });
  opened = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
  shop = await aShop(opened.db);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]) {
  const done = { code: 0, out: [] as string[], told: '' };
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    SIGNING_SECRET: 'a secret of the tests that is long enough',
  };
  done.code = await runOperatorCommand(args, environment, {
    clock: shop.deps.clock,
    print: (line) => void done.out.push(line),
    explain: (line) => void (done.told += `${line}\n`),
  });
  return done;
}

const captures = async ({ orderId }: OwedTransfer) =>
  (await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId))).filter(({ kind }) => kind === 'capture');

describe('reviewers of transfers', { timeout: 60_000 }, () => {
  it('list pending transfers, view the proof, reject and accept it, and the order changes at once', async () => {
    const owed = await aTransfer(shop);
    expect(await run('transfers', 'list')).toMatchObject({
      code: 0,
      out: [],
      told: 'No transfer waits for review or a refund.\n',
    });
    expect(await run('transfers', 'proof', owed.orderId, join(folder, 'early'))).toMatchObject({ code: 1, out: [] });
    await owed.prove();
    const { out } = await run('transfers', 'list', '--brand', 'mego');
    const since = new Date(shop.clock.now).toISOString();
    expect(out).toEqual([[owed.orderId, 'mego', '6.70 SGD', owed.step.reference, since, 'review'].join('\t')]);
    expect((await run('transfers', 'list', '--brand', 'lumen')).out).toEqual([]);

    const file = join(folder, 'proof.png');
    const written = await run('transfers', 'proof', owed.step.reference.toLowerCase(), file);
    expect(written.told).toContain(`image/png, ${aPicture.byteLength} bytes`);
    expect(new Uint8Array(await readFile(file))).toEqual(aPicture);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await run('transfers', 'proof', owed.orderId, file);
    expect([again.code, again.told]).toEqual([1, expect.stringContaining('it exists, so name another file')]);

    const reject = ['transfers', 'review', '--why=statement', owed.orderId, 'reject'];
    expect(await run(...reject, '--reason=bad')).toMatchObject({ code: 2 });
    expect((await run(...reject, '--reason=unreadable', '--words=  Please send\tthe whole page ')).code).toBe(0);
    expect(uploadStep(await owed.info())).toMatchObject({
      proof: 'rejected',
      rejection: { reason: 'unreadable', words: 'Please send the whole page' },
    });
    expect(await run('transfers', 'review', '--why=statement', owed.orderId, 'reject')).toMatchObject({ code: 1 });
    await owed.prove();
    expect((await run('transfers', 'review', '--why=statement', owed.orderId, 'accept')).told).toContain('is paid');
    expect((await owed.info()).order.status).toBe('PAYMENT_SUCCEEDED');
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, owed.buyer.account));
    expect(mails.map(({ text }) => text).join()).toContain(owed.orderId);
  });

  it('cannot cancel an order whose proof nobody looked at', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const cancel = ['orders', 'cancel', owed.orderId, '--why=by phone'];
    const refused = await run(...cancel);
    expect([refused.code, refused.told]).toEqual([1, expect.stringContaining(`transfers review ${owed.orderId}`)]);
    expect((await owed.info()).order.status).toBe('PAYMENT_PENDING');
    await run('transfers', 'review', '--why=statement', owed.orderId, 'reject');
    expect(await run(...cancel)).toMatchObject({ code: 0 });
    expect((await owed.info()).order.status).toBe('PAYMENT_CANCELLED');
  });

  it('accept a transfer twenty times at once, and one of them pays the order', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    const { transfer } = await owed.seen();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => acceptTransfer(shop.deps, transfer)));
    expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'before')).toHaveLength(19);
    expect(await captures(owed)).toHaveLength(1);
    expect((await run('transfers', 'review', '--why=statement', owed.orderId, 'accept')).told).toContain(
      'accepted before',
    );
    expect(await captures(owed)).toHaveLength(1);
  });

  it('use the reference if an order has several transfers, and see which payment must be refunded', async () => {
    const owed = await aTransfer(shop);
    shop.clock.advance(25 * 60 * 60_000);
    const again = uploadStep((await owed.buyer.repay(owed.orderId, byPayNow)).data);
    const { key } = (await owed.seen()).transfer;
    await shop.deps.gateways['transfer']?.cancel(key);
    const unclear = await run('transfers', 'review', '--why=statement', owed.orderId, 'accept');
    expect(unclear.code).toBe(1);
    for (const reference of [owed.step.reference, again.reference]) expect(unclear.told).toContain(reference);
    expect((await run('transfers', 'review', '--why=statement', again.reference, 'accept')).told).toContain('is paid');
    expect((await run('transfers', 'review', '--why=statement', owed.orderId, 'accept')).told).toContain(
      'accepted before',
    );
    expect((await run('transfers', 'review', '--why=statement', owed.step.reference, 'accept')).told).toContain(
      'Refund 6.70 SGD manually',
    );
    await refundDuplicates(shop.deps);
    expect((await run('transfers', 'list')).out.join()).toContain(owed.step.reference);
  });

  it('get the proof of a transfer that was begun before its method was taken from sale', async () => {
    const owed = await aTransfer(shop);
    const sell = async (active: boolean) => {
      await shop.db.update(paymentMethods).set({ active }).where(eq(paymentMethods.gateway, 'transfer'));
      await shop.deps.catalog.refresh();
    };
    await sell(false);
    expect((await owed.prove()).code).toBe(0);
    await sell(true);
    const { out } = await run('transfers', 'list');
    expect(out.filter((line) => line.startsWith(owed.orderId))).toHaveLength(1);
    for (const words of [owed.step.reference, ` ${owed.step.reference.toLowerCase()}`]) {
      const found = await run('orders', 'find', words);
      expect(found.out.map((line) => line.split('\t')[0])).toEqual([owed.orderId]);
    }
    await owed.accept();
    // the beginning of a key, and its end, can look like a reference
    const id = '7e2a9b4c-5a2f-4e3d-9b8a-22e4f6a8b9ce';
    const { order } = await anOrder(shop.db, { brand: 'mego', uid: owed.buyer.uid }, { attempt: { id } });
    const byKey = await run('orders', 'find', id);
    expect(byKey.out.map((line) => line.split('\t')[0])).toEqual([order.orderId]);
  });

  it('see in the order whether a proof waits for them, and why one was rejected', async () => {
    const owed = await aTransfer(shop);
    const shown = async () => {
      const { out } = await run('orders', 'show', owed.orderId, '--json');
      // as: the fields under test only
      return (JSON.parse(out.join('')) as { transfers: unknown }).transfers;
    };
    const { reference } = owed.step;
    expect(await shown()).toMatchObject([{ reference, state: 'waiting', proof: null }]);
    await owed.prove();
    expect(await shown()).toMatchObject([{ reference, state: 'reviewing', proof: 'waits for review', reason: null }]);
    await owed.reject({ reason: 'unreadable' });
    expect(await shown()).toMatchObject([{ state: 'waiting', proof: 'rejected', reason: 'unreadable' }]);
    expect((await run('messages', 'resend', owed.orderId, '--why=asked')).told).toContain('with the rejected proof');
    await owed.prove();
    await owed.accept();
    expect(await shown()).toMatchObject([{ state: 'accepted', proof: 'accepted', reason: null }]);
  });

  it('see each amount to refund by hand, a part and the rest, however old the transfer is', async () => {
    const owed = await aTransfer(shop);
    await owed.prove();
    await run('transfers', 'review', '--why=statement', owed.orderId, 'accept');
    shop.clock.advance(40 * 24 * 60 * 60_000);
    const part = await run('orders', 'refund', owed.orderId, '--amount=1.70', '--why=ticket');
    expect(part.told + part.out.join()).toContain('send the money back manually now');
    const sums = async () => {
      const { out } = await run('transfers', 'list');
      const refunds = out.filter((line) => line.startsWith(owed.orderId) && line.endsWith('\trefund'));
      return refunds.map((line) => line.split('\t')[2]);
    };
    expect(await sums()).toEqual(['1.70 SGD']);
    shop.clock.advance(60_000);
    await run('orders', 'refund', owed.orderId, '--why=ticket');
    expect(await sums()).toEqual(['1.70 SGD', '5.00 SGD']);
    const done = await run('transfers', 'done', owed.orderId, '--why=sent');
    expect(done.told).toContain('recorded as sent: 1.70 SGD, 5.00 SGD');
    expect(await sums()).toEqual([]);
    expect(await run('transfers', 'done', owed.orderId, '--why=sent')).toMatchObject({ code: 1 });
  });

  it('get a message for an invalid command', async () => {
    expect(await run('transfers', 'review', '--why=statement', 'NOSUCHORDER', 'accept')).toMatchObject({ code: 1 });
    expect((await run('transfers', 'list', '--brand', 'nova')).told).toContain('There is no brand nova');
    const wrong: Record<string, readonly string[]> = {
      'Give <order> <accept|reject>': ['transfers', 'review', '--why=x', 'ABC'],
      'neither accept nor reject': ['transfers', 'review', '--why=x', 'ABC', 'maybe'],
      'and no more': ['transfers', 'proof', 'ABC', 'file', 'more'],
      'Unexpected argument': ['transfers', 'list', 'ABC'],
    };
    for (const [sentence, args] of Object.entries(wrong)) {
      const done = await run(...args);
      expect(done, args.join(' ')).toMatchObject({ code: 2, out: [] });
      expect(done.told).toContain(sentence);
    }
    expect((await run('transfers', 'review', '--help')).out.join('\n')).toContain(
      'transfers review <order> <accept|reject>',
    );
  });
});
