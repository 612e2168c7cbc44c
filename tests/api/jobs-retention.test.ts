import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { login, queryInfo, report } from '#contract/index.ts';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { isWaitingMessage, outbox } from '#server/db/schema/outbox.ts';
import { loginRecords } from '#server/db/schema/users.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const day = 86_400_000;
let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const loginAt = (uid: string, at: number, ip: string) =>
  shop.db.insert(loginRecords).values({ id: crypto.randomUUID(), brand: 'lumen', uid, device: '', model: '', ip, at });
const storedLogins = async () =>
  (await shop.db.select().from(loginRecords)).map(({ ip }) => ip).filter((ip) => ip !== 'unknown');
const viewAt = (at: number) =>
  shop.db.insert(analyticsEvents).values({ id: crypto.randomUUID(), brand: 'lumen', at, fields: {} });

describe('the retention of customer data', () => {
  it('deletes logins after twelve months, and the account lists only the remaining ones', async () => {
    const ana = await shop.customer();
    await shop.db.delete(loginRecords);
    const yearAgo = Date.UTC(2025, 10, 21, 12);
    for (const [ip, at] of [
      ['a year and a day', yearAgo - day],
      ['a year', yearAgo],
      ['not a year', yearAgo + 1],
      ['yesterday', shop.clock.now - day],
    ] as const) {
      await loginAt(ana.uid, at, ip);
    }
    await deleteExpiredRows(shop.deps);
    expect((await storedLogins()).toSorted()).toEqual(['not a year', 'yesterday']);
    const body = { uid: ana.uid, account: ana.account, type: 'email' } as const;
    const { data } = await shop.request(queryInfo, { body }, { token: ana.token });
    expect(data.deviceSessions.map(({ ip }) => ip)).toEqual(['yesterday', 'not a year']);
  });

  it('follows the settings of the installation', async () => {
    const ana = await shop.customer();
    await shop.db.delete(loginRecords);
    const shorter = { ...shop.deps, env: { ...shop.deps.env, SIGN_INS_KEPT_MONTHS: 1, ANALYTICS_KEPT_MONTHS: 2 } };
    await loginAt(ana.uid, Date.UTC(2026, 9, 21, 12), 'a month');
    await loginAt(ana.uid, Date.UTC(2026, 9, 21, 12, 1), 'not a month');
    await viewAt(Date.UTC(2026, 8, 21, 12));
    await viewAt(Date.UTC(2026, 8, 21, 13));
    await deleteExpiredRows(shorter);
    expect(await storedLogins()).toEqual(['not a month']);
    expect((await shop.db.select().from(analyticsEvents)).map(({ at }) => at)).toEqual([Date.UTC(2026, 8, 21, 13)]);
  });

  it('deletes analytics events after thirteen months', async () => {
    await viewAt(Date.UTC(2025, 9, 21, 12));
    await viewAt(Date.UTC(2025, 9, 21, 13));
    await deleteExpiredRows(shop.deps);
    expect((await shop.db.select().from(analyticsEvents)).map(({ at }) => at)).toEqual([Date.UTC(2025, 9, 21, 13)]);
  });

  it('stores an analytics event with a future date at the current time, so that it expires', async () => {
    const fieldsMap = {
      version: '1',
      entrance_way: 'memberSite',
      session_id: 'a-session',
      page_id: 1,
      page_name: 'home',
      language: 'en',
      terminal_type: 'WEB',
      event_content: 'page_view',
    } as const;
    const events = [
      { name: 'membersite_event', at: shop.clock.now + 400 * day, fieldsMap } as const,
      { name: 'membersite_event', at: shop.clock.now - day, fieldsMap } as const,
    ];
    await shop.request(report, { body: { events } });
    const at = (await shop.db.select().from(analyticsEvents))
      .map((row) => row.at)
      .toSorted((one, other) => one - other);
    expect(at).toEqual([shop.clock.now - day, shop.clock.now]);
  });

  it('deletes in batches, however many rows have expired', async () => {
    const ana = await shop.customer();
    await shop.db.execute(sql`insert into login_records (id, brand, uid, device, model, ip, at)
      select 'old ' || n, 'lumen', ${ana.uid}, '', '', '10.0.0.1', n from generate_series(1, 1700) n`);
    expect(await deleteExpiredRows(shop.deps, AbortSignal.abort())).toBe(0);
    const deleted = await Promise.all([deleteExpiredRows(shop.deps), deleteExpiredRows(shop.deps)]);
    expect(deleted[0] + deleted[1]).toBe(1700);
    expect(await shop.db.$count(loginRecords)).toBe(1);
  });

  it('reports a new device to an old customer by email after all login records were deleted', async () => {
    const ana = await shop.customer();
    shop.clock.advance(500 * day);
    await deleteExpiredRows(shop.deps);
    expect(await shop.db.select().from(loginRecords)).toEqual([]);
    const body = { account: ana.account, password: ana.password, type: 'email' } as const;
    expect((await shop.request(login, { body })).code).toBe(0);
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.map(({ subject }) => subject)).toContain('New login to Lumen');
  });

  it('cancels an undelivered message when it is too late, and deletes it after a month', async () => {
    const row = { brand: 'lumen', subject: '', text: '0000', html: '', recipient: '5511987654321' };
    const at = { createdAt: shop.clock.now - 16 * 60_000, nextTryAt: shop.clock.now };
    await shop.db.insert(outbox).values({ ...row, ...at, id: 'late', channel: 'sms' });
    await shop.db.insert(outbox).values({ ...row, ...at, id: 'mail', channel: 'mail' });
    const broken = { ...shop.deps, mailer: { send: () => Promise.reject(new Error('the post office is closed')) } };
    expect(await sendOutbox(broken)).toBe(0);
    expect(shop.texted).toEqual([]);
    const [late] = await shop.db.select().from(outbox).where(eq(outbox.id, 'late'));
    expect(late?.lastAnswer).toBe('too old to be sent');
    const waiting = await shop.db.select().from(outbox).where(isWaitingMessage(outbox));
    expect(waiting.map(({ id, tries }) => ({ id, tries }))).toEqual([{ id: 'mail', tries: 1 }]);
    for (let hours = 0; hours < 29 * 24; hours += 6) {
      shop.clock.advance(6 * 60 * 60_000);
      await sendOutbox(broken);
    }
    await deleteExpiredRows(shop.deps);
    expect(await shop.db.$count(outbox)).toBe(2);
    shop.clock.advance(2 * day);
    await deleteExpiredRows(shop.deps);
    expect(await shop.db.$count(outbox)).toBe(0);
  });
});
