import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOperator } from '#tests/fixtures/operator.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv } from '#tests/fixtures/server-process.ts';
import { startSilentWire } from '#tests/fixtures/silent-wire.ts';

let silent: Server;
let address: string;
let postgres: RunningPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
  silent = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((done) => void silent.listen(0, '127.0.0.1', done));
  // as: a listening TCP server has an address with a port
  address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
}, 120_000);
afterAll(async () => {
  silent?.close();
  await postgres?.stop();
});

/** Every address that the doctor connects to accepts connections and never answers. */
const silentEnv = () => ({
  ...productionEnv,
  DATABASE_URL: `postgres://shop:shop@${address}/shop`,
  SMTP_URL: `smtp://${address}`,
  PUBLIC_ORIGIN: `https://${address}`,
  PAYPAL_CLIENT_ID: 'a-client-of-paypal',
  PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal',
  PAYPAL_WEBHOOK_ID: 'WEBHOOK',
  PAYPAL_ORIGIN: `http://${address}`,
  MAIL_FROM: 'shop@acme.test',
});

const doctor = (changes: Record<string, string> = {}) =>
  runOperator(['doctor', '--json', '--uploads', '--clock', `http://${address}`], { ...silentEnv(), ...changes });

/** Its own limits end it within a minute. A doctor that waits for an answer never ends. */
describe('the doctor where no address answers', { timeout: 180_000, tags: 'slow' }, () => {
  it('ends with a finding for each', async () => {
    const { code, out } = await doctor();
    expect(code).toBe(1);
    for (const says of [
      /"wrong","what":"database","says":"DATABASE_URL: 127\.0\.0\.1:\d+ does not answer/,
      /"wrong","what":"mail"/,
      /"wrong","what":"gateway paypal"/,
      /"wrong","what":"host 127\.0\.0\.1"/,
      /"wrong","what":"certificate of 127\.0\.0\.1"/,
      /"note","what":"clock"/,
    ])
      expect(out).toMatch(says);
  });

  it('ends as well if the database falls silent after the connection', async () => {
    const url = new URL(postgres.url);
    const wire = await startSilentWire(Number(url.port), { silentAt: 'pg_backend_pid' });
    url.port = String(wire.port);
    const { code, out } = await doctor({ DATABASE_URL: url.href });
    await wire.close();
    expect(code).toBe(1);
    expect(out).toMatch(/"wrong","what":"database","says":"DATABASE_URL: PostgreSQL does not answer"/);
  });
});
