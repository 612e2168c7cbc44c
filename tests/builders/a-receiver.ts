import { once } from 'node:events';
import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { brands, type BrandAlerts, type BrandWebhook } from '#server/db/schema/brands.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { createWebhookJob } from '#server/jobs/send-webhooks.ts';
import type { Shop } from './a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from './an-operator-demo.ts';
import type { TestApp } from './test-app.ts';

export interface ReceivedWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** A system of the operator that receives webhooks, over real connections. */
export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** how it answers from now on; a status, with headers where needed */
  answer: { readonly status: number; readonly headers?: Record<string, string> } | 'never';
  /** the types that it received, in order */
  types(): string[];
  close(): Promise<void>;
}

export async function aReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      // as: Node joins repeated headers of requests, except set-cookie
      const headers = request.headers as Record<string, string>;
      // as: what the shop sends is the subject of the tests
      const { type, data } = JSON.parse(body) as Pick<ReceivedWebhook, 'type' | 'data'>;
      received.push({ headers, body, type, data });
      const { answer } = receiver;
      if (answer === 'never') request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end('thank you');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    answer: { status: 204 },
    types: () => received.map(({ type }) => type),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Sets who is told about a brand, as `brand apply` does. */
export async function listenTo(
  { db, deps }: Pick<TestApp, 'db' | 'deps'>,
  brand: string,
  told: { readonly alerts?: BrandAlerts | null; readonly webhooks?: readonly BrandWebhook[] | null },
): Promise<void> {
  await db.update(brands).set(told).where(eq(brands.code, brand));
  await deps.catalog.refresh();
}

export interface WebhookDemo {
  readonly cli: OperatorDemo;
  readonly shop: Shop;
  readonly erp: Receiver;
  /** runs the job; returns how many were accepted */
  send(): Promise<number>;
}

/** For a test file: a shop whose brand tells everything to a new receiver before each test, and nothing after it. */
export function useWebhooks(brand: string): () => WebhookDemo {
  let cli: OperatorDemo;
  let erp: Receiver;
  beforeAll(async () => {
    cli = await startOperatorDemo();
  }, 60_000);
  afterAll(() => cli?.close());
  beforeEach(async () => {
    erp = await aReceiver();
    await listenTo(cli.shop, brand, { webhooks: [{ url: erp.url }], alerts: null });
  });
  afterEach(async () => {
    await cli.shop.db.delete(webhookDeliveries);
    await listenTo(cli.shop, brand, { webhooks: null });
    await erp.close();
  });
  return () => {
    const job = createWebhookJob();
    return { cli, shop: cli.shop, erp, send: () => job(cli.shop.deps) };
  };
}
