import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { providerOutages, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { createProviderWatch } from '#server/jobs/watch-providers.ts';
import { createWebhookJob } from '#server/jobs/send-webhooks.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aReceiver, listenTo, type Receiver } from '#tests/builders/a-receiver.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer, handIn } from '#tests/builders/a-transfer.ts';

const operator = 'ops@shop.example';
let shop: Shop;
let system: Receiver;
beforeAll(async () => {
  [shop, system] = await Promise.all([aShop(), aReceiver()]);
  for (const brand of ['lumen', 'mego'])
    await listenTo(shop, brand, { alerts: { email: operator, webhook: system.url } });
});
afterAll(async () => {
  await system?.close();
  await shop?.close();
});
beforeEach(async () => {
  await shop.db.delete(outbox);
  await shop.db.delete(webhookDeliveries);
  system.received.length = 0;
});

const mails = () => shop.db.select().from(outbox).where(eq(outbox.recipient, operator)).orderBy(outbox.createdAt);
const subjects = async () => (await mails()).map(({ brand, subject }) => `${brand}: ${subject}`);
const told = async () => {
  await createWebhookJob()(shop.deps);
  return system.received.map(({ type, data }) => [type, data] as const);
};

describe('a new dispute', () => {
  const dispute = async (...stages: string[]) => {
    const { orderId } = (await (await shop.buyer()).pay()).data;
    const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
    for (const stage of stages) {
      const notice = aNotice(attempt?.id ?? '', { id: `evt_${stage}_${orderId}`, event: 'chargeback', stage });
      await sendNotice(shop, notice);
      await sendNotice(shop, notice);
    }
    return orderId;
  };

  it('is reported once by email and webhook, with order and amount', async () => {
    const orderId = await dispute('opened');
    const [mail] = await mails();
    expect(await subjects()).toEqual(['lumen: Lumen: um pagamento foi contestado']);
    expect(mail?.text).toContain(orderId);
    expect(mail?.text).toMatch(/R\$\s19,90/);
    const amount = { amount: 1990, currency: 'BRL' };
    expect(await told()).toEqual([
      ['alert.dispute_opened', { brand: 'lumen', orderId, amount, gateway: 'sandbox', respondBy: null }],
    ]);
  });

  it('is not reported when it is lost already, because nobody can respond', async () => {
    await dispute('succeeded');
    expect(await subjects()).toEqual([]);
  });
});

describe('a proof of transfer', () => {
  it('is reported to webhooks once each, and by one email an hour', async () => {
    const first = await aTransfer(shop);
    const { objectId } = (await first.seen()).transfer;
    expect(objectId).toBeNull();
    await first.prove();
    const proof = (await first.seen()).transfer.objectId ?? '';
    await handIn(shop, first.buyer, first.orderId, proof);
    const second = await aTransfer(shop);
    await second.prove();
    expect(await subjects()).toEqual(['mego: Mego: a transfer is waiting for review']);
    expect((await told()).map(([type, { orderId }]) => [type, orderId])).toEqual([
      ['alert.transfer_waiting', first.orderId],
      ['alert.transfer_waiting', second.orderId],
    ]);
    shop.clock.advance(3_600_000);
    await (await aTransfer(shop)).prove();
    expect(await subjects()).toHaveLength(2);
  });
});

describe('a refund that only the operator can make', () => {
  const aPaidOrder = async () => {
    const { orderId } = (await (await shop.buyer()).pay()).data;
    const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
    const about = (reason: string, amount: number) =>
      ['refund_by_hand', { orderId, reason, gateway: 'sandbox', amount: { amount, currency: 'BRL' } }] as const;
    return { orderId, about, hear: (notice: object) => sendNotice(shop, aNotice(attempt?.id ?? '', notice)) };
  };
  const alerts = async () => (await told()).map(([type, { brand: _, ...data }]) => [type.replace('alert.', ''), data]);

  it.each([
    ['a whole refund', {}, 1990],
    ['a partial refund', { part: { amount: 492, number: 1 } }, 492],
  ])('%s that the provider rejects, or that comes back, is told once each', async (_, part, amount) => {
    const { orderId, about, hear } = await aPaidOrder();
    for (const stage of ['opened', 'rejected', 'rejected']) await hear({ event: 'refund', stage, ...part });
    expect(await subjects()).toEqual(['lumen: Lumen: um reembolso depende de você']);
    const [mail] = await mails();
    expect(mail?.text).toContain(orderId);
    expect(mail?.text).toContain(amount === 492 ? '4,92' : '19,90');
    for (const stage of ['succeeded', 'rejected', 'cancelled']) await hear({ event: 'refund', stage, ...part });
    expect(await alerts()).toEqual([about('refused', amount), about('returned', amount)]);
    expect((await mails()).map(({ text }) => text).filter((text) => text.includes('outra conta'))).toHaveLength(1);
  });

  it('a rejected refund whose money a dispute has taken is not told', async () => {
    const { hear } = await aPaidOrder();
    for (const event of ['refund', 'chargeback']) await hear({ event, stage: 'opened' });
    await hear({ event: 'refund', stage: 'rejected' });
    expect((await alerts()).map(([kind]) => kind)).toEqual(['dispute_opened']);
  });

  it('a transfer that the customer cancels is told', async () => {
    const transfer = await aTransfer(shop);
    await transfer.prove();
    await transfer.accept();
    await shop.request(endpoints.withdrawOrder, { body: { orderId: transfer.orderId } }, transfer.buyer);
    const [, alert] = await alerts();
    expect(alert).toMatchObject([
      'refund_by_hand',
      { orderId: transfer.orderId, reason: 'manual', gateway: 'transfer' },
    ]);
    expect(await subjects()).toContain('mego: Mego: a refund needs you');
  });
});

describe('a provider that does not answer', () => {
  /** A process with its own view of the providers, on the same database. */
  const aProcess = () => {
    const metrics = createMetrics();
    const watch = createProviderWatch();
    const run = () => watch({ ...shop.deps, metrics });
    return {
      ask: (provider: string, outcome: 'ok' | 'refused' | 'timeout' | 'error', times = 1) => {
        for (let i = 0; i < times; i += 1) metrics.providerRequest(provider, outcome, 1);
      },
      run,
    };
  };
  beforeEach(async () => {
    await shop.db.delete(providerOutages);
    shop.clock.advance(3_600_000);
  });

  it('is reported once by two processes when it fails for a minute, and once when it answers again', async () => {
    const [one, two] = [aProcess(), aProcess()];
    for (const process of [one, two]) process.ask('paypal', 'ok');
    for (const process of [one, two]) await process.run();
    for (let seconds = 0; seconds <= 60; seconds += 15) {
      for (const process of [one, two]) {
        process.ask('paypal', 'timeout');
        await process.run();
      }
      if (seconds < 60) expect(await subjects()).toEqual([]);
      shop.clock.advance(15_000);
    }
    expect((await subjects()).sort()).toEqual([
      'lumen: Lumen: paypal não está respondendo',
      'mego: Mego: paypal isn’t responding',
    ]);
    await two.run();
    two.ask('paypal', 'refused');
    await two.run();
    await one.run();
    expect(await subjects()).toHaveLength(4);
    expect((await told()).map(([type]) => type).sort()).toEqual([
      ...Array.from({ length: 2 }, () => 'alert.provider_down'),
      ...Array.from({ length: 2 }, () => 'alert.provider_up'),
    ]);
  });

  it.each([
    ['two failures', 2, 120_000],
    ['failures of less than a minute', 9, 45_000],
  ])('is not reported after %s', async (_, failures, ms) => {
    const process = aProcess();
    process.ask('paypal', 'error', failures);
    await process.run();
    shop.clock.advance(ms);
    await process.run();
    expect(await subjects()).toEqual([]);
  });

  it('is not up again for a process that has made no request since', async () => {
    const [one, two] = [aProcess(), aProcess()];
    two.ask('paypal', 'ok', 5);
    one.ask('paypal', 'timeout', 3);
    await one.run();
    shop.clock.advance(60_000);
    await one.run();
    await two.run();
    await two.run();
    expect(await subjects()).toHaveLength(2);
  });

  it('is reported at most once an hour, however often it comes and goes', async () => {
    const process = aProcess();
    for (let times = 0; times < 5; times += 1) {
      process.ask('paypal', 'error', 3);
      await process.run();
      shop.clock.advance(60_000);
      await process.run();
      process.ask('paypal', 'ok');
      await process.run();
    }
    expect(await subjects()).toHaveLength(4);
  });

  it('concerns only the brands that use it for payments, and all brands if it serves sign-on or mail', async () => {
    const process = aProcess();
    process.ask('transfer', 'timeout', 3);
    process.ask('google', 'timeout', 3);
    await process.run();
    shop.clock.advance(60_000);
    await process.run();
    const of = (provider: string) =>
      system.received.filter(({ data }) => data['provider'] === provider).map(({ data }) => data['brand']);
    await told();
    expect(of('transfer')).toEqual(['mego']);
    expect(of('google').toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(['lumen', 'mego']);
  });
});
