import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { webhookSecret } from '#server/messages/webhooks/send-webhook.ts';
import { aReceiver, listenTo, useWebhooks, type Receiver } from '#tests/builders/a-receiver.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import type { OperatorDemo } from '#tests/builders/an-operator-demo.ts';

const minuteMs = 60_000;
let cli: OperatorDemo;
let shop: Shop;
let erp: Receiver;
let send: () => Promise<number>;
const demo = useWebhooks('lumen');
beforeEach(() => void ({ cli, shop, erp, send } = demo()));

describe('the commands for webhooks', () => {
  const why = '--why=ticket 7';
  const lumen = '--brand=lumen';

  it('list events with their state, and repeat one or those of some days with the same id', async () => {
    const orders: string[] = [];
    for (const buyer of await shop.buyers(3)) {
      orders.push((await buyer.pay()).data.orderId);
      shop.clock.advance(1000);
    }
    expect((await cli.run('webhooks', 'list', lumen, '--waiting', '--json')).facts).toHaveLength(3);
    await send();
    const { facts } = await cli.run('webhooks', 'list', lumen, '--json');
    expect(facts).toMatchObject(
      Array.from({ length: 3 }, () => ({ type: 'order.paid', state: 'accepted', tries: 1, answer: 'HTTP 204' })),
    );
    const [{ eventId } = {}] = facts;
    expect((await cli.run('webhooks', 'replay', lumen, `--id=${String(eventId)}`, why)).code).toBe(0);
    await send();
    expect(erp.received.at(-1)?.headers['webhook-id']).toBe(eventId);
    expect(erp.received.at(-1)?.data).toMatchObject({ orderId: orders[2] });
    const today = new Date(shop.clock.now).toISOString().slice(0, 10);
    const again = await cli.run('webhooks', 'replay', lumen, `--from=${today}`, why);
    expect(again.told).toContain('3 deliveries are repeated now');
    await send();
    expect(erp.received).toHaveLength(7);
    const other = await cli.run('webhooks', 'replay', '--brand=mego', `--id=${String(eventId)}`, why);
    expect([other.code, other.told]).toEqual([1, expect.stringContaining('No event')]);
    expect((await cli.run('webhooks', 'replay', lumen, why)).code).toBe(2);
  });

  it('repeat what was given up', async () => {
    await (await shop.buyer()).pay();
    erp.answer = { status: 410 };
    const [waiting] = (await cli.run('webhooks', 'list', lumen, '--waiting', '--json')).facts;
    const early = await cli.run('webhooks', 'replay', lumen, `--id=${String(waiting?.['eventId'])}`, why);
    expect([early.code, early.told]).toEqual([1, expect.stringContaining('is still waiting')]);
    await send();
    const { facts } = await cli.run('webhooks', 'list', lumen, '--given-up', '--json');
    // one attempt was enough
    expect(facts).toMatchObject([{ state: 'given up', tries: null, answer: 'HTTP 410' }]);
    erp.answer = { status: 200 };
    await cli.run('webhooks', 'replay', lumen, '--given-up', why);
    expect(await send()).toBe(1);
    expect((await cli.run('webhooks', 'list', lumen, '--given-up', '--json')).facts).toEqual([]);
  });

  it('send what waits for a later attempt at once', async () => {
    await (await shop.buyer()).pay();
    erp.answer = { status: 503 };
    await send();
    shop.clock.advance(minuteMs);
    await send();
    const [{ eventId } = {}] = (await cli.run('webhooks', 'list', lumen, '--waiting', '--json')).facts;
    erp.answer = { status: 200 };
    expect([await send(), erp.received.length]).toEqual([0, 2]);
    const one = await cli.run('webhooks', 'replay', lumen, `--id=${String(eventId)}`, why);
    expect(one.told).toContain('--waiting sends it now');
    const now = await cli.run('webhooks', 'replay', lumen, '--waiting', why);
    expect([now.code, now.told]).toEqual([0, expect.stringContaining('1 delivery is repeated now')]);
    expect(await send()).toBe(1);
    expect(erp.received.at(-1)?.headers['webhook-id']).toBe(eventId);
  });

  it('send to a new address what was for one that the brand no longer has', async () => {
    const crm = await aReceiver();
    await (await shop.buyer()).pay();
    await send();
    shop.clock.advance(1000);
    await (await shop.buyer()).pay();
    await listenTo(shop, 'lumen', { webhooks: [{ url: crm.url }] });
    const [lost, { eventId } = {}] = (await cli.run('webhooks', 'list', lumen, '--json')).facts;
    expect(lost).toMatchObject({ url: erp.url, state: 'address removed', nextTry: null });
    const day = new Date(shop.clock.now).toISOString().slice(0, 10);
    const none = await cli.run('webhooks', 'replay', lumen, `--from=${day}`, why);
    expect(none.told).toContain('0 deliveries are repeated now');
    expect(none.told).toContain('1 more are for addresses that brand.yaml no longer has');
    const one = ['webhooks', 'replay', lumen, `--id=${String(eventId)}`, why];
    expect((await cli.run(...one)).told).toContain(`is for ${erp.url}`);
    expect((await cli.run(...one, `--address=${erp.url}`)).told).toContain(`${erp.url} is not in the brand.yaml`);
    expect((await cli.run('webhooks', 'replay', lumen, `--from=${day}`, `--address=${crm.url}`, why)).code).toBe(0);
    await send();
    expect(crm.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      expect.arrayContaining([eventId, lost?.['eventId']]),
    );
    await listenTo(shop, 'lumen', { webhooks: [{ url: crm.url, events: ['order.refunded'] }] });
    const again = ['webhooks', 'replay', lumen, `--from=${day}`, `--address=${crm.url}`, why];
    expect((await cli.run(...again)).told).toContain('0 deliveries are repeated');
    expect((await cli.run(...again, '--event=order.paid')).told).toContain('2 deliveries are repeated');
    await crm.close();
  });

  it('leave no task for what was given up, once a new address has it or support discards it', async () => {
    const crm = await aReceiver();
    const tasks = async () => (await cli.run('tasks', 'list', lumen, '--json')).facts.map(({ task }) => task);
    await (await shop.buyer()).pay();
    erp.answer = { status: 410 };
    await send();
    await listenTo(shop, 'lumen', { webhooks: [{ url: crm.url }] });
    expect(await tasks()).toContain('repeat webhooks');
    await cli.run('webhooks', 'replay', lumen, '--given-up', `--address=${crm.url}`, why);
    await send();
    expect([crm.received.length, await tasks()]).toEqual([1, []]);

    crm.answer = { status: 410 };
    await (await shop.buyer()).pay();
    await send();
    await (await shop.buyer()).pay();
    await listenTo(shop, 'lumen', { webhooks: [{ url: erp.url }] });
    expect(await tasks()).toContain('repeat webhooks');
    const discard = ['webhooks', 'discard', lumen, why];
    expect((await cli.run(...discard)).told).toBe('2 events will never be sent.\n');
    expect(await tasks()).toEqual([]);
    expect((await cli.run('webhooks', 'list', lumen, '--json')).facts).toMatchObject([{ state: 'accepted' }]);
    expect((await cli.run(...discard, '--id=evt_1')).told).toContain('0 events');
    await crm.close();
  });

  it('send each of many events once to a new address, whatever addresses they were for', async () => {
    const crm = await aReceiver();
    await listenTo(shop, 'lumen', { webhooks: [{ url: crm.url }] });
    const at = shop.clock.now;
    const row = (index: number, url: string) => ({
      eventId: `evt_${index}`,
      url,
      brand: 'lumen',
      type: 'order.paid',
      body: '{}',
      tries: 1,
      sentAt: at,
      // many events of one moment
      createdAt: at + Math.floor(index / 100),
      nextTryAt: at,
    });
    const urls = [erp.url, 'https://a.example/', 'https://z.example/'];
    const rows = Array.from({ length: 301 }, (_, index) => urls.map((url) => row(index, url))).flat();
    await shop.db.insert(webhookDeliveries).values(rows);
    const day = new Date(at).toISOString().slice(0, 10);
    const replay = ['webhooks', 'replay', lumen, `--from=${day}`, `--address=${crm.url}`, why];
    // the second time the address has them already
    for (let round = 0; round < 2; round += 1) {
      expect((await cli.run(...replay)).told).toContain('301 deliveries are repeated now');
      const those = await shop.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.url, crm.url));
      expect(those).toHaveLength(301);
      expect(those.every(({ tries, sentAt, body }) => tries === 0 && sentAt === null && body === '{}')).toBe(true);
    }
    await crm.close();
  });

  it('send after a restore only what an operator repeats', async () => {
    await (await shop.buyer()).pay();
    const at = new Date(shop.clock.now).toISOString();
    expect((await cli.run('restored', `--backup-at=${at}`, why)).told).toContain('webhooks are discarded');
    shop.clock.advance(minuteMs);
    await send();
    expect(erp.received).toEqual([]);
    const [{ answer } = {}] = (await cli.run('webhooks', 'list', lumen, '--given-up', '--json')).facts;
    expect(answer).toBe('not sent, because the database was restored');
    await cli.run('webhooks', 'replay', lumen, '--given-up', why);
    await send();
    expect(erp.received).toHaveLength(1);
  });

  it('send a test to every address, and name one that does not accept it', async () => {
    const test = () => cli.run('webhooks', 'test', lumen, '--json');
    expect(await test()).toMatchObject({ code: 0, facts: [{ url: erp.url, answer: 'HTTP 204', accepted: true }] });
    erp.answer = { status: 401 };
    expect(await test()).toMatchObject({ code: 1, facts: [{ answer: 'HTTP 401', accepted: false }] });
    expect(erp.types()).toEqual(['webhook.test', 'webhook.test']);
    expect((await cli.run('webhooks', 'test', '--brand=mego')).told).toContain('has no webhooks');
  });

  it('send a test to the places that are told about alerts', async () => {
    expect((await cli.run('alerts', 'test', lumen)).told).toContain('has no alerts');
    await listenTo(shop, 'lumen', { alerts: { email: 'duty@lumen.example', webhook: erp.url } });
    expect(await cli.run('alerts', 'test', lumen, '--json')).toMatchObject({ code: 0, facts: [{ url: erp.url }] });
    expect(erp.types()).toEqual(['webhook.test']);
    const [mail] = await shop.db.select().from(outbox).where(eq(outbox.recipient, 'duty@lumen.example'));
    expect(mail?.subject).toBe('Lumen: isto é um teste');
  });

  it('print the secret that verifies them, and record who read it', async () => {
    const { out } = await cli.run('webhooks', 'secret', lumen, why);
    expect(out).toEqual([webhookSecret(shop.deps.env, 'lumen')]);
    const { facts } = await cli.run('audit', 'list', lumen, '--json');
    expect(facts.map(({ command }) => command)).toContain('webhooks secret');
  });
});
