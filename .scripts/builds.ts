// The folder of builds ([Note: Builds] in src/server/http/pages/builds.ts): one for each, and a pointer to the last two.
// Ours, because Vite empties its folder and writes into it, while a shop may be serving from there.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

const pointerName = 'current.json';
const unfinished = /^\.making-(\d+)$/;

/** The ids of the builds that are served, the newest first; none before the first build. */
export function servedBuilds(folder: string): string[] {
  const pointer = join(folder, pointerName);
  if (!existsSync(pointer)) return [];
  // as: written below
  return (JSON.parse(readFileSync(pointer, 'utf8')) as { builds: string[] }).builds;
}

/** Where a build is made: nobody looks there until it is finished. */
export function startBuild(folder: string): string {
  const making = join(folder, `.making-${process.pid}`);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  return making;
}

/** Gives a finished build its name. One of the same sources may be there already, and is as good. */
export function finishBuild(folder: string, making: string, id: string): void {
  if (existsSync(join(folder, id))) rmSync(making, { recursive: true });
  else renameSync(making, join(folder, id));
}

/** Makes a build the one that is served, at once; the one before it stays beside it, and older ones go. */
export function switchTo(folder: string, id: string): void {
  const [newest, ...older] = servedBuilds(folder);
  const before = newest === id ? older : [newest];
  const builds = [id, ...before].filter((one): one is string => one !== undefined && existsSync(join(folder, one)));
  if (newest !== id)
    replaceAtOnce(join(folder, pointerName), (path) => writeFileSync(path, JSON.stringify({ builds })));
  for (const name of readdirSync(folder)) {
    if (name !== pointerName && !builds.includes(name) && !isBeingMade(name)) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** `link` leads to a folder; whoever follows it meanwhile sees the one before or this one. */
export function linkTo(link: string, folder: string): void {
  replaceAtOnce(link, (path) => symlinkSync(relative(join(link, '..'), folder), path, 'dir'));
}

function replaceAtOnce(path: string, write: (path: string) => void): void {
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  write(fresh);
  renameSync(fresh, path);
}

/** Whether another process is at it right now. What an interrupted one has left is not. */
function isBeingMade(name: string): boolean {
  const maker = Number((unfinished.exec(name) ?? /\.(\d+)$/.exec(name))?.[1] ?? 0);
  if (maker === 0) return false;
  try {
    return process.kill(maker, 0);
  } catch (error) {
    // EPERM: it lives, and is somebody else's
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
