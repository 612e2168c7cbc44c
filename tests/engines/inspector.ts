import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';
import { programsOf } from './debian-engines.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { waitUntil, type ConsoleEntry, type EnginePage } from './engine.ts';
import { end, openDisplay, type WebKit } from './webkit.ts';

/** A page whose console can be read as its developer tools show it, without input. */
type InspectedPage = Pick<EnginePage, 'console' | 'open' | 'evaluate' | 'close'>;

const eventSchema = v.object({ method: v.optional(v.string()), params: v.optional(v.record(v.string(), v.unknown())) });
const targetSchema = v.object({ targetInfo: v.object({ targetId: v.string(), type: v.string() }) });
const committedSchema = v.object({ newTargetId: v.string() });
const innerSchema = v.object({ message: v.string() });
const answerSchema = v.object({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  result: v.optional(v.object({ result: v.optional(v.object({ value: v.optional(v.unknown()) })) })),
  params: v.optional(v.object({ message: v.optional(v.object({ level: v.string(), text: v.string() })) })),
});

/**
 * Starts a WebKit browser under its remote inspector. A browser under WebDriver has a private session, whose messages
 * WebKit does not write anywhere, and accepts no inspector beside its driver.
 */
export async function openInspected(name: WebKit): Promise<InspectedPage> {
  const programs = programsOf(name);
  if (!programs) throw new Error(`${name} is not installed: run node .scripts/setup.mjs --engines`);
  const screen = 'display' in programs ? await openDisplay(programs.display) : undefined;
  const host = `127.0.0.1:${await freePort()}`;
  const args = [...(screen ? ['--private'] : ['--platform=headless']), '--enable-developer-extras=true', 'about:blank'];
  const env = { ...process.env, WEBKIT_INSPECTOR_HTTP_SERVER: host, ...(screen && { DISPLAY: screen.name }) };
  const browser = spawn(programs.browser, args, { env, stdio: 'ignore' });
  let path = '';
  await waitUntil(`inspector of ${name}`, async () => {
    path = /socket\/\d+\/\d+\/WebPage/.exec(await (await fetch(`http://${host}/`)).text())?.[0] ?? '';
    return path !== '';
  });
  const socket = new WebSocket(`ws://${host}/${path}`);
  const page = inspect(socket);
  await once(socket, 'open');
  await waitUntil(`page of ${name}`, async () => (await page.evaluate('document.readyState')) === 'complete');
  return {
    ...page,
    close: async () => {
      socket.close();
      await end(browser);
      if (screen) await end(screen.process);
    },
  };
}

/** A page is a target inside the connection. A navigation to another site replaces the target. */
function inspect(socket: WebSocket) {
  const console: ConsoleEntry[] = [];
  const pending = new Map<number, (value: unknown) => void>();
  let [target, sent] = ['', 0];

  function send(targetId: string, method: string, params: object = {}): number {
    sent += 1;
    const message = JSON.stringify({ id: sent, method, params });
    socket.send(JSON.stringify({ id: sent, method: 'Target.sendMessageToTarget', params: { targetId, message } }));
    return sent;
  }

  function receive(text: string): void {
    const { id, method, params, result } = v.parse(answerSchema, JSON.parse(text));
    if (id !== undefined) pending.get(id)?.(result?.result?.value);
    if (method !== 'Console.messageAdded' || !params?.message) return;
    const { level, text: messageText } = params.message;
    if (level === 'error' || level === 'warning') console.push({ level, text: messageText.trim() });
  }

  socket.addEventListener('message', ({ data }) => {
    const { method, params } = v.parse(eventSchema, JSON.parse(String(data)));
    if (method === 'Target.dispatchMessageFromTarget') receive(v.parse(innerSchema, params).message);
    if (method === 'Target.didCommitProvisionalTarget') target = v.parse(committedSchema, params).newTargetId;
    if (method !== 'Target.targetCreated') return;
    const { targetId, type } = v.parse(targetSchema, params).targetInfo;
    if (type !== 'page') return;
    target ||= targetId;
    send(targetId, 'Console.enable');
  });

  /** Undefined where the page was closed before it could answer. */
  function evaluate(expression: string): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const id = send(target, 'Runtime.evaluate', { expression, returnByValue: true });
    const limit = setTimeout(() => resolve(undefined), answerLimitMs);
    pending.set(id, resolve);
    return promise.finally(() => {
      clearTimeout(limit);
      pending.delete(id);
    });
  }
  return {
    console,
    evaluate,
    open: async (address: string) => {
      await evaluate(`globalThis.marqueeLeft = true; location.href = ${JSON.stringify(address)}`);
      const isLoaded = `globalThis.marqueeLeft !== true && document.readyState === 'complete'`;
      await waitUntil(`document of ${address}`, async () => (await evaluate(isLoaded)) === true);
    },
  };
}

/** A target that was replaced never answers. */
const answerLimitMs = 2_000;
