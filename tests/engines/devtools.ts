import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { startEngine } from './start-engine.ts';

/** A message of the protocol: the answer to a command, or an event of a page. */
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

/** The connection to one page of an engine by the DevTools protocol. */
export interface Wire {
  send(method: string, params?: Params): Promise<unknown>;
  on(method: string, listener: (params: unknown) => void): void;
}

export interface Chromium {
  /** A page in a new profile, without a session and without stored data. */
  newWire(): Promise<Wire>;
  close(): Promise<void>;
}

/** The longest time that a command may take. */
const answerLimitMs = 30_000;

/** Starts an old Chromium. Current browser drivers no longer support these versions. */
export async function startChromium(version: number): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'marquee-engine-'));
  const { child, address } = await startEngine(version, profile);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const wire = connect(socket);
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
        on: (method, listener) => wire.on(sessionId, method, listener),
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

/** Numbers commands and resolves each with its answer. */
function connect(socket: WebSocket) {
  const pending = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, (params: unknown) => void>();
  let sent = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = v.parse(messageSchema, JSON.parse(String(data)));
    if (message.id !== undefined) pending.get(message.id)?.(message);
    else listeners.get(`${message.sessionId} ${message.method}`)?.(message.params);
  });
  return {
    send: (method: string, params: Params = {}, sessionId?: string) =>
      new Promise<unknown>((resolve, reject) => {
        sent += 1;
        const id = sent;
        const fail = (reason: string) => reject(new Error(`${method}: ${reason}`));
        const limit = setTimeout(() => fail('no answer'), answerLimitMs);
        pending.set(id, ({ error, result }) => {
          pending.delete(id);
          clearTimeout(limit);
          if (error) fail(error.message);
          else resolve(result);
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      }),
    on: (sessionId: string, method: string, listener: (params: unknown) => void) =>
      void listeners.set(`${sessionId} ${method}`, listener),
  };
}
