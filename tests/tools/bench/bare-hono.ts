/**
 * Bare Hono with one constant response: the upper limit of this machine. The parent process sends the constant over IPC
 * and receives the port.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

export interface Constant {
  readonly base64: string;
  readonly headers: Readonly<Record<string, string>>;
}

process.once('message', (message) => {
  // as: throughput.ts sends only this
  const { base64, headers } = message as Constant;
  const body = new Uint8Array(Buffer.from(base64, 'base64'));
  const app = new Hono();
  app.get('/', (c) => c.body(body, 200, headers));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
});
process.once('disconnect', () => process.exit());
