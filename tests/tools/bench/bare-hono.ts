/**
 * Bare Hono with one constant answer: what this machine can do at most. The constant is what the parent process sends,
 * and the port is told back. Run as a process of its own, with an IPC channel.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

export interface Constant {
  readonly base64: string;
  readonly headers: Readonly<Record<string, string>>;
}

process.once('message', (message) => {
  // as: the parent is our own bench, which sends this and nothing else
  const { base64, headers } = message as Constant;
  const body = new Uint8Array(Buffer.from(base64, 'base64'));
  const app = new Hono();
  app.get('/', (c) => c.body(body, 200, headers));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
});
process.once('disconnect', () => process.exit());
