// The folder of builds (src/server/http/pages/builds.ts): one folder for each build, and a pointer to the last two.
// Vite alone would empty its output folder and write into it while a server may be serving from it.
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

/** The ids of the served builds, newest first; empty before the first build. */
export function servedBuilds(folder: string): string[] {
  const pointer = join(folder, pointerName);
  if (!existsSync(pointer)) return [];
  // as: written below
  return (JSON.parse(readFileSync(pointer, 'utf8')) as { builds: string[] }).builds;
}

/** Creates the folder of a build in progress; no server reads it until it is finished. */
export function startBuild(folder: string): string {
  const making = join(folder, `.making-${process.pid}`);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  return making;
}

/** Renames a finished build to its id. A build of the same sources may exist already, and stays then. */
export function finishBuild(folder: string, making: string, id: string): void {
  if (existsSync(join(folder, id))) rmSync(making, { recursive: true });
  else renameSync(making, join(folder, id));
}

/** Makes a build the served one, atomically; the previous one stays beside it, and older ones are removed. */
export function activateBuild(folder: string, id: string): void {
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

/** Replaces a link to a folder atomically: readers see the previous target or this one. */
export function replaceSymlink(link: string, folder: string): void {
  replaceAtOnce(link, (path) => symlinkSync(relative(join(link, '..'), folder), path, 'dir'));
}

function replaceAtOnce(path: string, write: (path: string) => void): void {
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  write(fresh);
  renameSync(fresh, path);
}

/** Whether another process is writing it now; a leftover of an interrupted process is not. */
function isBeingMade(name: string): boolean {
  const maker = Number((unfinished.exec(name) ?? /\.(\d+)$/.exec(name))?.[1] ?? 0);
  if (maker === 0) return false;
  try {
    return process.kill(maker, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
