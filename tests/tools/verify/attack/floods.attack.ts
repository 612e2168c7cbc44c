import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { uploadLimitBytes } from '#contract/limits.ts';
import { statementRows } from '#server/db/connect.ts';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { byPayNow } from '#tests/builders/a-transfer.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { openServerUnderTest } from '../server-under-test.ts';
import type { Attack } from './attack.ts';
import { assertAtMost, codeOf, customersOf, formatCodes, lumen, repeated, type Flood } from './flood.ts';
import { cardTesting, pay } from './card-testing.ts';

/**
 * SMS pumping: codes to other people's numbers, from one address, from one IPv6 network, and from many networks to
 * Chile.
 */
const smsPumping: Flood = async (shop, db, say) => {
  const crowds = [
    { from: 'one address', times: 420, areaCode: '55', ip: () => '203.0.113.7', most: 60 },
    { from: 'one /64', times: 420, areaCode: '55', ip: (n: number) => `2001:db8:1:1::${n.toString(16)}`, most: 60 },
    { from: '420 networks to Chile', times: 420, areaCode: '56', ip: (n: number) => `198.18.${n >> 8}.${n & 255}` },
  ];
  let number = 11_987_000_000;
  for (const { from, times, areaCode, ip, most = 100 } of crowds) {
    const before = await db.$count(outbox, eq(outbox.channel, 'sms'));
    const codes = await repeated(times, (n) => {
      const digits = String((number += 1));
      const account = areaCode === '55' ? digits : `9${digits.slice(-8)}`;
      const body = { account, areaCode, type: 'phone', scene: 'signup', language: 'en' } as const;
      return callShop(lumen(shop), endpoints.sendVerificationCode, { body }, { ip: ip(n) });
    });
    // wait for the job that writes them, which runs every second
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const written = (await db.$count(outbox, eq(outbox.channel, 'sms'))) - before;
    say(`SMS from ${from}: ${formatCodes(codes)}; ${written} of ${times} written`);
    assertAtMost(`SMS from ${from}`, written, most);
  }
};

/** All addresses of one IPv6 network open pages and log in, while a visitor from another network does the same. */
const oneNetwork: Flood = async (shop, _db, say) => {
  const attackerIp = (n: number) => `2001:db8:2:2::${n.toString(16)}`;
  const { port } = shop.server;
  const page = (n: number, ip: string) =>
    fetch(`http://localhost:${port}/login?return=/${n}`, {
      headers: { 'x-forwarded-for': ip, 'accept-language': 'es' },
    });
  const logIn = (n: number, ip: string) => {
    const body = { account: `nobody.${n}@example.com`, type: 'email', password: 'a wrong password' } as const;
    return callShop(lumen(shop), endpoints.login, { body }, { ip });
  };
  const flood = { isOver: false };
  const crowd = Promise.all([
    repeated(1500, (n) => page(n, attackerIp(n))),
    repeated(600, (n) => logIn(n, attackerIp(n))),
  ]).finally(() => (flood.isOver = true));
  const seen: Record<string, number> = {};
  const times: number[] = [];
  for (let n = 0; !flood.isOver; n += 1) {
    const started = performance.now();
    const { status } = await page(100_000 + n, '198.51.100.7');
    const code = await codeOf(logIn(100_000 + n, `198.51.100.${n & 255}`));
    times.push(performance.now() - started);
    const answer = `page ${status}, login ${code}`;
    seen[answer] = (seen[answer] ?? 0) + 1;
  }
  const [, logins] = await crowd;
  say(`2,100 requests of one /64: logins ${formatCodes(logins)}`);
  say(`a visitor meanwhile: ${formatCodes(seen)}; the longest ${Math.max(...times).toFixed(0)} ms for both`);
  // 3001 is "wrong account or password"; 200 is a rendered page
  const others = Object.keys(seen).filter((answer) => answer !== 'page 200, login 3001');
  if (others.length > 0) throw new Error(`the visitor was refused: ${formatCodes(seen)}`);
};

/** Analytics events without a session. */
const reports: Flood = async (shop, db, say) => {
  const sizeOf = async () => {
    const [row] = await statementRows(db, sql`select pg_total_relation_size('analytics_events')::float8 as bytes`);
    return Number(row?.bytes);
  };
  const fieldsMap = {
    version: '2.3.2',
    entrance_way: 'memberSite',
    session_id: '0b8a4c1e-8d7a-4a51-9a43-2f1f6e0f7a11',
    page_id: 2,
    page_name: 'pricing',
    language: 'pt',
    terminal_type: 'WAP',
    event_content: 'page_view',
  } as const;
  const [before, bytes] = [await db.$count(analyticsEvents), await sizeOf()];
  const codes = await repeated(600, () => {
    const event = { name: 'membersite_event', at: Date.now(), fieldsMap } as const;
    const body = { events: Array.from({ length: 50 }, () => event) };
    return callShop(lumen(shop), endpoints.report, { body }, { ip: '203.0.113.9' });
  });
  const stored = (await db.$count(analyticsEvents)) - before;
  const perEvent = stored === 0 ? 0 : ((await sizeOf()) - bytes) / stored;
  say(`30,000 events from one address: ${formatCodes(codes)}; ${stored} stored, ${perEvent.toFixed(0)} bytes each`);
  assertAtMost('events stored', stored, 1200);
  assertAtMost('bytes of an event', perEvent, 2000);
};

/** Two uploads each by 60 customers with a pending transfer, which never send their last byte. */
const endlessUploads: Flood = async (shop, _db, say) => {
  const memory = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${shop.server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const origin = shop.server.brandOrigin('mego');
  const senders = customersOf(shop, 'mego').slice(0, 60);
  const bought = await repeated(senders.length, async (n) => {
    const sender = senders[n];
    if (sender) await pay(origin, sender, { ...byPayNow, ip: `198.51.100.${n}` });
  });
  if (bought[0] !== senders.length) throw new Error(`transfers owed: ${formatCodes(bought)}`);
  const before = memory();
  const sockets: Socket[] = [];
  const answers: string[] = [];
  for (const { token } of [...senders, ...senders]) {
    const socket = connect(shop.server.port, '127.0.0.1');
    socket.on('error', () => {}).on('data', (data) => void answers.push(data.toString().slice(9, 12)));
    socket.write(
      `POST ${endpoints.uploadObject.path} HTTP/1.1\r\nHost: mego.localhost\r\nAuthorization: ${token}\r\n` +
        `Content-Type: image/png\r\nContent-Length: ${uploadLimitBytes}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(uploadLimitBytes - 1));
    sockets.push(socket);
  }
  let most = before;
  for (let waited = 0; waited < 100; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, memory());
  }
  for (const socket of sockets) socket.destroy();
  const refused = formatCodes(
    Object.fromEntries(
      Object.entries(Object.groupBy(answers, (one) => one)).map(([status, all]) => [status, all?.length ?? 0]),
    ),
  );
  say(`${sockets.length} uploads that do not end: answered ${refused}`);
  say(`memory of the process: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
  assertAtMost('MB more', Math.round(most - before), 200);
  const { ok } = await fetch(`${lumen(shop)}/readyz`);
  if (!ok) throw new Error('the shop is no longer ready');
};

export const attack: Attack = {
  holds: 'floods of codes, logins, events, uploads and payments stop at their limits, and other visitors are served',
  run: async (say) => {
    const shop = await openServerUnderTest('postgres', {
      customers: 64,
      brands: ['lumen', 'mego'],
      reconcileAfterSeconds: 60,
    });
    try {
      const { beside: db } = shop;
      if (!db) throw new Error('the database cannot be read while the shop runs');
      for (const flood of [smsPumping, oneNetwork, reports, endlessUploads, cardTesting]) await flood(shop, db, say);
    } finally {
      await shop.close();
    }
  },
};
