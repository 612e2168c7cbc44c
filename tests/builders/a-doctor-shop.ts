import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { openProduction } from '#server/runtime/wiring/open-production.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { readSettings } from '#server/env.ts';
import { otherRoutes, createApp } from '#server/http/mount-app.ts';
import { createLog } from '#server/runtime/log.ts';
import { sandboxAccount, sandboxBase } from '#sandbox/paypal/events.ts';
import { sandboxPaypal } from '#sandbox/paypal/api.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv } from '#tests/fixtures/server-process.ts';

type Undo = (() => unknown)[];

/** A shop on PostgreSQL behind TLS, with mail, PayPal and an external time source, for `operator doctor`. */
export interface DoctorShop {
  readonly env: Record<string, string>;
  readonly clockOf: string;
  /** a port without a listener */
  readonly closedPort: number;
  readonly mailServer: MailServer;
  readonly postgres: RunningPostgres;
  close(): Promise<void>;
}

/** A file of the certificates of `localhost`. */
export const tls = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

export async function aDoctorShop(): Promise<DoctorShop> {
  const done: Undo = [];
  const mailServer = await startMailServer();
  const closedPort = await freePort();
  const postgres = await startPostgres();
  const data = mkdtempSync(join(tmpdir(), 'marquee-doctor-'));
  done.push(mailServer.stop, postgres.stop, () => rmSync(data, { recursive: true, force: true }));
  const filled = await openPostgres(postgres.url, createLog('silent'));
  await aBrand(filled.db, { host: 'localhost', like: 'mego' });
  await filled.close();

  let answer: RequestListener = () => {};
  const certificate = { key: readFileSync(tls('localhost.key.pem')), cert: readFileSync(tls('localhost.pem')) };
  const port = await listening(
    createHttps(certificate, (incoming, outgoing) => answer(incoming, outgoing)),
    done,
  );
  const paypal = await startPaypal(done);
  const env = {
    ...productionEnv,
    LOG_LEVEL: 'silent',
    DATABASE_URL: postgres.url,
    PUBLIC_ORIGIN: `https://localhost:${port}`,
    DATA_DIR: data,
    DEFAULT_BRAND: 'acme',
    SMTP_URL: mailServer.url.replace('//', '//shop:a-password-of-mail@'),
    MAIL_FROM: 'shop@acme.test',
    ...paypal.env,
  };
  const { deps, sandbox, close } = await openProduction(readSettings(env));
  done.push(close);
  const listener = getRequestListener(createApp(deps, otherRoutes(sandbox)).fetch);
  answer = (incoming, outgoing) => {
    const client = incoming.socket.remoteAddress;
    Object.assign(incoming.headers, { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' });
    void listener(incoming, outgoing);
  };
  return {
    env,
    clockOf: paypal.origin,
    closedPort,
    mailServer,
    postgres,
    close: async () => {
      for (const undo of done.toReversed()) await undo();
    },
  };
}

async function listening(server: Server, done: Undo): Promise<number> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  done.push(() => {
    server.closeAllConnections();
    server.close();
  });
  // as: a listening TCP server has an address with a port
  return (server.address() as AddressInfo).port;
}

/** The simulated PayPal at its own origin, and the settings of the shop for it. */
async function startPaypal(done: Undo): Promise<{ origin: string; env: Record<string, string> }> {
  const { deps, close } = await testApp();
  done.push(close);
  const api = sandboxPaypal(deps);
  const serve = getRequestListener(async (request) => {
    const { pathname } = new URL(request.url);
    return api.fetch(new Request(`http://paypal.test${sandboxBase}${pathname}`, request));
  });
  const port = await listening(
    createHttp((incoming, outgoing) => void serve(incoming, outgoing)),
    done,
  );
  const { clientId, clientSecret, webhookId } = sandboxAccount(deps.env);
  const origin = `http://localhost:${port}`;
  const app = { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId };
  return { origin, env: { ...app, PAYPAL_ORIGIN: origin } };
}
