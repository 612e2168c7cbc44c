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
 * While a TV polls for the approval on a phone, the status is 400 (RFC 8628, 3.5), which its browser logs as an error.
 * Whether the TV polls before the password is typed depends on the speed of the machine.
 */
const pendingApproval = /status of 400 .*\/oauth\/token/;

/** Starts an old Chromium as an engine for purchases. */
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

/** Records errors and warnings: uncaught exceptions, messages of scripts, and those of the browser itself. */
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
    const message = `${text} (${url ?? ''})`;
    if (level === 'warning') add(level, message);
    if (level === 'error' && (input !== 'remote control' || !pendingApproval.test(message))) add(level, message);
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

// Both events at once: with a wait in between, a busy machine would turn the tap into a long press.
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
