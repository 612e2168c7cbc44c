/// <reference lib="dom" />
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Builder, Capabilities, error, Key, type WebDriver } from 'selenium-webdriver';
import { programsOf } from './debian-engines.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import type { Device } from './device.ts';
import { waitUntil, type ConsoleEntry, type Engine, type EnginePage } from './engine.ts';

export type WebKit = 'WebKitGTK' | 'WPE WebKit';

const commandLimitMs = 60_000;
const scriptLimitMs = 15_000;

/** Starts a WebKit browser by its driver: without a window on a screen, with one session for each page. */
export async function openWebKit(name: WebKit): Promise<Engine> {
  const programs = programsOf(name);
  if (!programs) throw new Error(`${name} is not installed: run node .scripts/setup.mjs --engines`);
  const screen = 'display' in programs ? await openDisplay(programs.display) : undefined;
  const port = await freePort();
  const env = { ...process.env, LANG: 'en_US.UTF-8', LANGUAGE: 'en_US', ...(screen && { DISPLAY: screen.name }) };
  const driver = spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore' });
  const server = `http://127.0.0.1:${port}`;
  await waitUntil(`the driver of ${name}`, async () => (await fetch(`${server}/status`)).ok);
  return {
    newPage: async (device) => {
      const session = new Builder().usingServer(server).withCapabilities(capabilitiesOf(name, programs.browser));
      return pageOf(await session.build(), device);
    },
    close: async () => {
      await end(driver);
      if (screen) await end(screen.process);
    },
  };
}

/** Starts a display in memory, whose number the server chooses. */
export async function openDisplay(program: string): Promise<{ name: string; process: ChildProcess }> {
  const args = ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = (await once(server.stdout, 'data')) as [Buffer]; // as: a stream without an encoding gives buffers
  return { name: `:${String(number).trim()}`, process: server };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

function capabilitiesOf(name: WebKit, binary: string): Capabilities {
  const ofWpe = name === 'WPE WebKit';
  const args = ['--automation', ...(ofWpe ? ['--platform=headless'] : [])];
  return new Capabilities({
    browserName: ofWpe ? 'cog' : 'MiniBrowser',
    // Errors are recorded from the beginning of a document, before its `load` event.
    pageLoadStrategy: 'none',
    timeouts: { script: scriptLimitMs, pageLoad: commandLimitMs },
    [ofWpe ? 'wpe:browserOptions' : 'webkitgtk:browserOptions']: { binary, args },
  });
}

interface Recorder {
  marqueeRecord?: ConsoleEntry[];
}

/**
 * Runs in the page: records what a driver of WebKit does not report. The first call in a document starts the
 * recording; each call returns what was recorded since the previous one.
 */
function takeRecord(): ConsoleEntry[] {
  const scope = globalThis as Recorder;
  if (scope.marqueeRecord) return scope.marqueeRecord.splice(0);
  const record: ConsoleEntry[] = [];
  scope.marqueeRecord = record;
  const add = (level: ConsoleEntry['level'], ...parts: readonly unknown[]) =>
    void record.push({ level, text: parts.map(String).join(' ') });
  for (const [name, level] of [['error', 'error'] as const, ['warn', 'warning'] as const]) {
    const original = console[name].bind(console);
    console[name] = (...parts: unknown[]) => {
      add(level, 'console:', ...parts);
      original(...parts);
    };
  }
  addEventListener('error', ({ message, filename, lineno }) => add('error', message, filename, lineno));
  addEventListener('unhandledrejection', ({ reason }) => add('error', 'unhandled:', reason));
  addEventListener('securitypolicyviolation', (event) =>
    add('error', event.violatedDirective, event.blockedURI, event.sample, event.sourceFile),
  );
  return [];
}

interface Answer {
  readonly record: ConsoleEntry[];
  readonly value?: unknown;
  readonly error?: string;
}

async function pageOf(driver: WebDriver, { width, height }: Device): Promise<EnginePage> {
  const console: ConsoleEntry[] = [];
  /** A script whose document is replaced never answers, and is run again in the next document. */
  async function evaluate(expression: string, tries = 4): Promise<unknown> {
    const answer = await run(expression).catch((thrown: unknown) => {
      if (tries > 1 && thrown instanceof error.ScriptTimeoutError) return undefined;
      throw thrown;
    });
    if (!answer) return evaluate(expression, tries - 1);
    console.push(...answer.record);
    if (answer.error !== undefined) throw new Error(`In the page: ${answer.error}`);
    return answer.value;
  }
  const run = (expression: string) =>
    driver.executeAsyncScript<Answer>(`
      const done = arguments[arguments.length - 1];
      const take = ${takeRecord.toString()};
      const before = take();
      const end = (answer) => done({ ...answer, record: [...before, ...take()] });
      (async () => ${expression})().then((value) => end({ value }), (error) => end({ error: String(error) }));`);
  await setInnerSize(driver, width, height);
  return {
    console,
    open: async (address) => {
      await evaluate('void (globalThis.marqueeLeft = true)');
      await driver.get(address);
      await waitUntil(
        `document of ${address}`,
        async () => (await evaluate('globalThis.marqueeLeft !== true')) === true,
      );
    },
    evaluate: (expression) => evaluate(expression),
    tap: ({ x, y }) =>
      driver
        .actions()
        .move({ x: Math.round(x), y: Math.round(y) })
        .press()
        .release()
        .perform(),
    press: (key) =>
      driver
        .actions()
        .sendKeys(key === 'Enter' ? Key.ENTER : key)
        .perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: () => driver.quit(),
  };
}

/** A window has borders; a platform without windows has one size. */
async function setInnerSize(driver: WebDriver, width: number, height: number): Promise<void> {
  const inner = await driver.executeScript<number>('return innerWidth');
  if (inner !== width)
    await driver
      .manage()
      .window()
      .setRect({ width, height: height + 100 });
}
