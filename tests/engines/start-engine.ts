import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from './old-chromium.ts';

const startLimitMs = 30_000;

interface StartedEngine {
  readonly child: ChildProcess;
  /** The address of its DevTools. */
  readonly address: string;
}

/** Arguments of every version: a container provides no sandbox and little shared memory. */
const usualArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--mute-audio',
];

/**
 * Starts an old Chromium with the profile in the folder `profile`. Resolves with its process and the address of its
 * DevTools. Rejects with its output if it does not start, or if it is not installed.
 */
export async function startEngine(version: number, profile: string): Promise<StartedEngine> {
  const folder = folderOf(version);
  const path = join(folder, 'chromium');
  if (!existsSync(path))
    throw new Error(`Chromium ${version} is not in ${folder}: run node .scripts/setup.mjs --engines`);
  const libraries = [join(folder, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const child = spawn(path, [...usualArgs, '--remote-debugging-port=0', `--user-data-dir=${profile}`], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.on('error', reject);
      child.on('exit', () =>
        reject(new Error(`Chromium ${version} does not run on this machine:\n${output.slice(0, 1000)}`)),
      );
    });
    return { child, address };
  } finally {
    clearTimeout(limit);
  }
}
