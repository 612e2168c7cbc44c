import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CardInput } from '#contract/card.ts';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { createLog } from '#server/runtime/log.ts';
import { statementRows } from '#server/db/connect.ts';
import { aShop, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/** Numbers that appear nowhere else, except for the test numbers that make the sandbox bank challenge or reject. */
const numbers = {
  paid: '4929739573915736',
  withFourDigitCode: '371573957391573',
  wrongCheckDigit: '4929739573915737',
  challenged: '4000002500003155',
  rejected: '4000000000009995',
};
/** Searched for only where its four digits stand alone. */
const code = '8362';

const log: string[] = [];
const answers: string[] = [];
let shop: Shop;
let ana: Buyer;

beforeAll(async () => {
  const logSink = { write: (line: string) => void log.push(line) };
  shop = await aShop(undefined, { deps: () => ({ log: createLog('trace', logSink) }) });
  const { app } = shop;
  const request = app.request.bind(app);
  // Record every response.
  app.request = async (...args: Parameters<typeof request>) => {
    const response = await request(...args);
    answers.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  };
  ana = await shop.buyer();
});
afterAll(() => shop.close());

const card = (number: string, changed: Partial<CardInput> = {}): CardInput => ({
  number,
  code: '123',
  expiry: '12/39',
  holderFirstName: 'Ana',
  holderLastName: 'Lima',
  ...changed,
});
const amex = (changed: Partial<CardInput> = {}) => card(numbers.withFourDigitCode, { code, ...changed });

/** All forms in which a number may be stored: plain, grouped, encoded, or hashed without a key. */
function shapesOf(number: string): string[] {
  const grouped = (by: string) => number.match(/.{1,4}/g)?.join(by) ?? '';
  const texts = [number, grouped(' '), grouped('-'), number.slice(0, 12)];
  const encoded = texts.flatMap((text) => [
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('hex'),
  ]);
  const hashes = ['sha256', 'sha1', 'md5'].map((kind) => createHash(kind).update(number).digest('hex'));
  return [...texts, ...encoded, ...hashes];
}

/** Every row of every table, including those of the sandbox bank, as JSON text. */
async function tables(): Promise<string> {
  const names = await statementRows(shop.db, sql`select tablename from pg_tables where schemaname = 'public'`);
  const texts: string[] = [];
  for (const { tablename } of names) {
    const rows = await statementRows(
      shop.db,
      sql.raw(`select row_to_json(t)::text as row from "${String(tablename)}" t`),
    );
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}

const raw = (path: string, init: RequestInit) =>
  shop.app.request(`http://localhost${path}`, { method: 'POST', ...init });
const json = () => ({
  authorization: ana.token,
  'content-type': 'application/json',
  'idempotency-key': crypto.randomUUID(),
});

/** Sends requests that cannot be parsed or do not match the schema. */
async function sendInvalidRequests(): Promise<void> {
  const { path } = endpoints.pay;
  const body = { ...(await ana.body({ card: amex() })) };
  const bodies = [
    JSON.stringify(body).slice(0, -9),
    JSON.stringify({ ...body, [numbers.paid]: numbers.paid }),
    JSON.stringify({ ...body, planId: numbers.paid, card: card(numbers.paid, { code: numbers.paid }) }),
    JSON.stringify({ ...body, card: amex({ holderFirstName: numbers.paid.repeat(9) }) }),
    JSON.stringify({ ...body, padding: numbers.paid.repeat(9000) }),
    `number=${numbers.paid}&code=${code}`,
  ];
  for (const one of bodies) {
    const response = await raw(path, { headers: json(), body: one });
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
  await raw(path, { headers: { ...json(), 'content-type': 'text/plain' }, body: JSON.stringify(body) });
  await raw(path, { headers: { ...json(), 'idempotency-key': numbers.paid }, body: JSON.stringify(body) });
  await raw(`/api/bill/nowhere/${numbers.paid}?card=${numbers.paid}`, { headers: json(), body: JSON.stringify(body) });
  await raw('/sandbox/api/charges', { body: JSON.stringify({ card: amex() }) });
}

describe('the number and the code of a card', { timeout: 30_000 }, () => {
  it('are sent in every kind of card payment', async () => {
    const pay = async (wish: Wish) => (await ana.pay(wish)).errCode ?? 0;
    const faulty = (firstName: string) => ({
      card: amex({ holderFirstName: firstName }),
      payer: payerNamed(firstName),
    });
    expect(await pay({ card: card(numbers.paid, { save: true }) })).toBe(0);
    expect(await pay({ card: amex({ save: true }) })).toBe(0);
    expect(await pay({ card: card(numbers.challenged) })).toBe(0);
    expect(await pay({ card: card(numbers.rejected) })).toBe(302);
    expect(await pay({ card: card(numbers.wrongCheckDigit) })).toBe(314);
    expect(await pay({ card: amex({ expiry: '01/20' }) })).toBe(309);
    expect(await pay({ card: amex({ code: '836' }) })).toBe(315);
    expect(await pay(faulty('OUTAGE'))).toBe(0);
    expect(await pay(faulty('LOSTANSWER'))).toBe(0);
    const saved = await shop.request(endpoints.listCard, { body: {} }, ana);
    for (const { cardId, codeDigits } of saved.data) {
      const cardCode = codeDigits === 4 ? code : '123';
      expect(await pay({ card: undefined, cardId, cardCode })).toBe(0);
    }
    expect(saved.data).toHaveLength(2);
    const mego = await shop.buyer({ host: 'mego.localhost' });
    const abroad = { planId: '201', currency: 'USD' };
    expect((await mego.pay({ ...abroad, card: amex({ save: true }) })).code).toBe(0);
    await sendInvalidRequests();
  });

  it('are repeated with the same key, sent in a repayment and processed by every job', async () => {
    const key = crypto.randomUUID();
    await ana.pay({ card: amex() }, key);
    expect((await ana.pay({ card: amex() }, key)).code).toBe(0);
    expect((await ana.pay({ card: card(numbers.paid) }, key)).errCode).toBe(5000);
    const declined = await ana.pay({ card: card(numbers.rejected) });
    expect((await ana.repay(declined.params.orderId ?? '', { card: amex() })).code).toBe(0);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const stop = startJobs(shop.deps, {
      deliverNotices: (deps) => sandbox.deliverNotices(deps, async (notice) => shop.app.request(notice)),
    });
    await stop();
    await shop.app.request('http://localhost/metrics');
    await shop.app.request('http://localhost/dev/outbox');
  });

  it('are afterwards in no table, no log line and no response', async () => {
    const places = { tables: await tables(), log: log.join(''), answers: answers.join('\n') };
    for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(1000);
    // The permitted last four digits are present, so the search covers the right data.
    expect(places.tables).toContain(`"last4":"${numbers.paid.slice(-4)}"`);
    expect(places.answers).toContain(`"last4":"${numbers.paid.slice(-4)}"`);
    expect(places.log).toContain(endpoints.pay.path);
    const found = Object.entries(places).flatMap(([place, text]) => [
      ...Object.values(numbers)
        .flatMap(shapesOf)
        .filter((shape) => text.includes(shape))
        .map((shape) => `${shape} in ${place}`),
      ...(new RegExp(`(?<![\\w.-])${code}(?![\\w-])`).test(text) ? [`${code} in ${place}`] : []),
    ]);
    expect(found).toEqual([]);
  });
});

function payerNamed(firstName: string) {
  return { firstName, lastName: 'Lima', document: '52998224725', phone: '11987654321' };
}
