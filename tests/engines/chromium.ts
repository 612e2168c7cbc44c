import * as v from 'valibot';
import { emulate, type Device } from './device.ts';
import { startChromium, type Wire } from './devtools.ts';
import type { ConsoleEntry, Engine, EnginePage, Point } from './engine.ts';

const keyCodes: Readonly<Record<string, number>> = {
  Enter: 13,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

const evaluated = v.object({
  result: v.object({ value: v.optional(v.unknown()) }),
  exceptionDetails: v.optional(v.object({ text: v.string(), exception: v.optional(v.unknown()) })),
});

/**
 * The browser of a TV calls it an error when the TV asks whether the phone has agreed and hears "not yet", which has the
 * status 400 (RFC 8628, 3.5). Whether it asks before somebody has typed their password depends on the machine.
 */
const notYet = /status of 400 .*\/oauth\/token/;

/** Starts an old Chromium as an engine to buy in. */
export async function openChromium(version: number): Promise<Engine> {
  const chromium = await startChromium(version);
  return {
    newPage: async (device, language) => {
      const wire = await chromium.newWire();
      const console = recordConsole(wire, device);
      await emulate(wire, device, language);
      return pageOver(wire, device, console);
    },
    close: chromium.close,
  };
}

/** What a page calls an error or a warning: uncaught ones, what scripts log as one, and what the browser itself does. */
function recordConsole(wire: Wire, { input }: Device): ConsoleEntry[] {
  const entries: ConsoleEntry[] = [];
  const add = (level: ConsoleEntry['level'], text: string) => void entries.push({ level, text });
  wire.on('Runtime.exceptionThrown', (params) => add('error', `uncaught: ${JSON.stringify(params)}`));
  wire.on('Runtime.consoleAPICalled', (params) => {
    const { type, args } = v.parse(v.object({ type: v.string(), args: v.array(v.unknown()) }), params);
    if (type === 'error' || type === 'assert') add('error', `console: ${JSON.stringify(args)}`);
    if (type === 'warning') add('warning', `console: ${JSON.stringify(args)}`);
  });
  wire.on('Log.entryAdded', (params) => {
    const entry = v.object({ level: v.string(), text: v.string(), url: v.optional(v.string()) });
    const { level, text, url } = v.parse(v.object({ entry }), params).entry;
    const told = `${text} (${url ?? ''})`;
    if (level === 'warning') add(level, told);
    if (level === 'error' && (input !== 'remote control' || !notYet.test(told))) add(level, told);
  });
  return entries;
}

function pageOver(wire: Wire, device: Device, console: readonly ConsoleEntry[]): EnginePage {
  const press = async (name: string, text?: string) => {
    const code = keyCodes[name] ?? 0;
    const same = { key: name, code: text === undefined || name === 'Enter' ? name : '', text };
    const event = { ...same, windowsVirtualKeyCode: code };
    await wire.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...event });
    await wire.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event, text: undefined });
  };
  return {
    console,
    open: async (address) => void (await wire.send('Page.navigate', { url: address })),
    evaluate: async (expression) => {
      const answer = await wire.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      const { result, exceptionDetails } = v.parse(evaluated, answer);
      if (exceptionDetails) throw new Error(`In the page: ${JSON.stringify(exceptionDetails)}`);
      return result.value;
    },
    tap: (at) => (device.input === 'finger' ? touch(wire, at) : click(wire, at)),
    press: (name) => (name === 'Enter' ? press(name, '\r') : press(name)),
    type: async (text) => {
      for (const letter of text) await press(letter, letter);
    },
    screenshot: async () => {
      const answer = await wire.send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(v.parse(v.object({ data: v.string() }), answer).data, 'base64');
    },
    close: async () => void (await wire.send('Page.close')),
  };
}

// both events at once: with an answer awaited in between, a busy machine would make a long press of it
async function touch(wire: Wire, at: Point): Promise<void> {
  const touches = [
    { type: 'touchStart', touchPoints: [at] },
    { type: 'touchEnd', touchPoints: [] },
  ];
  await Promise.all(touches.map((event) => wire.send('Input.dispatchTouchEvent', event)));
}

async function click(wire: Wire, at: Point): Promise<void> {
  const types = ['mousePressed', 'mouseReleased'];
  const events = types.map((type) => ({ type, ...at, button: 'left', clickCount: 1 }));
  await Promise.all(events.map((event) => wire.send('Input.dispatchMouseEvent', event)));
}
