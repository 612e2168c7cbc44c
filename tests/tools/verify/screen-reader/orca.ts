import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Firefox on a screen of its own, used by the keyboard only, and what Orca says of it. */
export interface ScreenReader {
  /** presses keys by their names at X, such as `Tab` or `ctrl+Home` */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** presses Tab until Orca says something that matches */
  tabTo(what: RegExp): Promise<void>;
  /** reads the page by lines from its top, until Orca says all of these in their order */
  reads(...what: readonly RegExp[]): Promise<void>;
  /** waits until Orca says something that matches, since the last key; fails after 40 seconds */
  hears(what: RegExp): Promise<void>;
  open(url: string): Promise<void>;
  /** everything that was pressed and said, in order */
  transcript(): string;
  close(): Promise<void>;
}

const preferences = `user_pref("accessibility.force_disabled", -1);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.dns.localDomains", "lumen.localhost,mego.localhost,localhost");
user_pref("signon.rememberSignons", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
`;

/** How long Orca must say nothing until it has said everything, in milliseconds. */
const silenceMs = 1000;
const patienceMs = 40_000;
const mostPresses = 60;

/** The Debian packages that are needed. */
export const screenReaderPackages =
  'at-spi2-core dbus dconf-gsettings-backend firefox-esr libglib2.0-bin openbox orca speech-dispatcher xdotool xvfb'.split(
    ' ',
  );

/** Speech without a device: the library of sound discards what it cannot play. */
const speech = `LogDir "default"
AudioOutputMethod "libao"
AddModule "dummy" "sd_dummy" ""
DefaultModule dummy
`;

/** Starts an X server, the accessibility bus, Orca without sound, and Firefox at an address. */
export async function openScreenReader(url: string): Promise<ScreenReader> {
  const home = mkdtempSync(join(tmpdir(), 'marquee-orca-'));
  const started: ChildProcess[] = [];
  const close = async () => {
    for (const child of started.toReversed()) child.kill('SIGKILL');
    // Orca starts speech-dispatcher as a daemon, which outlives Orca
    spawnSync('pkill', ['-f', `speech-dispatcher.*${home}`]);
    await sleep(500);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    return { ...(await startReader(home, url, (child) => started.push(child))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startReader(home: string, url: string, onStart: (child: ChildProcess) => void) {
  const run = join(home, 'run');
  const display = `:${90 + (process.pid % 900)}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_RUNTIME_DIR: run,
    DISPLAY: display,
    LC_ALL: 'C.UTF-8',
  };
  const start = (program: string, ...args: string[]) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    onStart(child);
    return child;
  };
  mkdirSync(run, { mode: 0o700 });
  for (const folder of ['.config/speech-dispatcher', 'profile']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, '.config/speech-dispatcher/speechd.conf'), speech);
  writeFileSync(join(home, 'profile/user.js'), preferences);
  start('Xvfb', display, '-screen', '0', '1280x900x24');
  const bus = start('dbus-daemon', '--session', '--nofork', '--print-address');
  env['DBUS_SESSION_BUS_ADDRESS'] = String(await firstOutput(bus)).trim();
  env['GNOME_ACCESSIBILITY'] = '1';
  await waitFor(() => existsSync(`/tmp/.X11-unix/X${display.slice(1)}`), 'the X server');
  start('/usr/libexec/at-spi-bus-launcher', '--launch-immediately');
  for (const [schema, key] of switches)
    execFileSync('gsettings', ['set', schema, key, 'true'], { env, stdio: 'ignore' });
  start('openbox');
  // to a terminal, Orca writes each line at once; to a file, blocks of 8 KB
  const orca = start('script', '--quiet', '--flush', '--command', 'orca --debug-file=$(tty)', '/dev/null');
  const spoken: string[] = [];
  createInterface(orca.stdout).on('line', (line) => spoken.push(...wordsOf(line)));
  await waitFor(() => spoken.length > 0, 'Orca');
  start(
    'firefox-esr',
    '--no-remote',
    '--profile',
    join(home, 'profile'),
    '--width',
    '1200',
    '--height',
    '850',
    'about:blank',
  );
  const reader = readerOf(env, spoken);
  // Orca does not notice a page that is loaded before the window
  await reader.hears(/frame/);
  await reader.open(url);
  await reader.hears(/Finished loading/);
  return reader;
}

const switches = [
  ['org.gnome.desktop.interface', 'toolkit-accessibility'],
  ['org.gnome.desktop.a11y.applications', 'screen-reader-enabled'],
] as const;

async function firstOutput(child: ChildProcess): Promise<unknown> {
  if (!child.stdout) throw new Error('no output');
  const [data] = (await once(child.stdout, 'data')) as [unknown]; // as: `data` carries one chunk
  return data;
}

async function waitFor(isTrue: () => boolean, what: string): Promise<void> {
  const until = Date.now() + patienceMs;
  while (!isTrue()) {
    if (Date.now() > until) throw new Error(`${what} did not start`);
    await sleep(100);
  }
}

/** What Orca says, of a line of its debug log. */
function wordsOf(line: string): string[] {
  const [, words] = /SPEECH OUTPUT: '(.*)'(?:\{.*\})?$/.exec(line) ?? [];
  return words === undefined ? [] : [words];
}

function readerOf(env: NodeJS.ProcessEnv, spoken: readonly string[]): Omit<ScreenReader, 'close'> {
  const xdotool = (...args: string[]) => execFileSync('xdotool', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const record: string[] = [];
  let before = 0;
  const settle = async () => {
    let [count, since] = [-1, Date.now()];
    while (Date.now() - since < silenceMs) {
      await sleep(100);
      const now = spoken.length;
      if (now !== count) [count, since] = [now, Date.now()];
    }
  };
  const note = (done: string) => {
    record.push(...spoken.slice(before).map((words) => `    ${words}`), `> ${done}`);
    before = spoken.length;
  };
  const press = async (...keys: readonly string[]) => {
    note(keys.join(' '));
    for (const key of keys) xdotool('key', '--clearmodifiers', key);
    await settle();
  };
  const heard = () => spoken.slice(before);
  const repeat = async (key: string, what: RegExp) => {
    for (let presses = 0; presses < mostPresses; presses += 1) {
      await press(key);
      if (heard().some((words) => what.test(words))) return;
    }
    throw new Error(`${String(what)} is not reached by ${key}:\n${record.slice(-mostPresses).join('\n')}`);
  };
  return {
    press,
    type: async (text) => {
      note(`"${text}"`);
      xdotool('type', '--delay', '50', text);
      await settle();
    },
    tabTo: (what) => repeat('Tab', what),
    reads: async (...all) => {
      await press('ctrl+Home');
      for (const what of all) await repeat('Down', what);
    },
    hears: async (what) => {
      const until = Date.now() + patienceMs;
      while (!heard().some((words) => what.test(words))) {
        if (Date.now() > until)
          throw new Error(`${String(what)} was not said:\n${[...record.slice(-30), ...heard()].join('\n')}`);
        await sleep(100);
      }
      await settle();
    },
    open: async (url) => {
      await press('ctrl+l');
      note(url);
      xdotool('type', '--delay', '20', url);
      await press('Return');
    },
    transcript: () => [...record, ...heard().map((words) => `    ${words}`)].join('\n'),
  };
}
