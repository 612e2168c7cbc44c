import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { startEngine } from './start-engine.ts';

/** What came over the wire: an answer to a command, or an event of a page. */
const messageSchema = v.object({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
  sessionId: v.optional(v.string()),
});
type Message = v.InferOutput<typeof messageSchema>;

type Params = Readonly<Record<string, unknown>>;

/** One page of an engine, spoken to by the DevTools protocol. */
export interface Wire {
  send(method: string, params?: Params): Promise<unknown>;
  on(method: string, hear: (params: unknown) => void): void;
}

export interface Chromium {
  /** a page in a profile of its own: nobody is signed in there, and nothing is kept */
  newWire(): Promise<Wire>;
  close(): Promise<void>;
}

/** What a person waits for at most, and the longest that a command may take. */
const answerLimitMs = 30_000;

/** Starts an old Chromium; current drivers of browsers do not speak to them any more. */
export async function startChromium(version: number): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'marquee-engine-'));
  const { child, address } = await startEngine(version, profile);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const wire = speak(socket);
  return {
    newWire: async () => {
      const { browserContextId } = v.parse(
        v.object({ browserContextId: v.string() }),
        await wire.send('Target.createBrowserContext'),
      );
      const target = await wire.send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { targetId } = v.parse(v.object({ targetId: v.string() }), target);
      const session = await wire.send('Target.attachToTarget', { targetId, flatten: true });
      const { sessionId } = v.parse(v.object({ sessionId: v.string() }), session);
      return {
        send: (method, params) => wire.send(method, params, sessionId),
        on: (method, hear) => wire.on(sessionId, method, hear),
      };
    },
    close: async () => {
      socket.close();
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Numbers commands and finds the answer to each. */
function speak(socket: WebSocket) {
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, (params: unknown) => void>();
  let sent = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = v.parse(messageSchema, JSON.parse(String(data)));
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else listeners.get(`${message.sessionId} ${message.method}`)?.(message.params);
  });
  return {
    send: (method: string, params: Params = {}, sessionId?: string) =>
      new Promise<unknown>((resolve, reject) => {
        sent += 1;
        const id = sent;
        const fail = (words: string) => reject(new Error(`${method}: ${words}`));
        const limit = setTimeout(() => fail('no answer'), answerLimitMs);
        waiting.set(id, ({ error, result }) => {
          waiting.delete(id);
          clearTimeout(limit);
          if (error) fail(error.message);
          else resolve(result);
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      }),
    on: (sessionId: string, method: string, hear: (params: unknown) => void) =>
      void listeners.set(`${sessionId} ${method}`, hear),
  };
}
