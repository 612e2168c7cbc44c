import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate disk in memory that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string;
  /** the number of free bytes */
  free(): number;
  /** fills it until the system refuses another byte; then frees `butBytes` again */
  fill(butBytes?: number): void;
  empty(): void;
  remove(): void;
}

/** Mounts a small disk; undefined without permission, which only root has. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    // no permission to mount: the attack reports it
    rmSync(folder, { recursive: true });
    return undefined;
  }
  chmodSync(folder, 0o777);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    free: () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    fill: (butBytes = 0) => {
      fillWith(ballast);
      truncateSync(ballast, statSync(ballast).size - butBytes);
    },
    empty: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillWith(ballast: string): void {
  const file = openSync(ballast, 'a');
  for (let size = 1024 * 1024; size >= 4096;) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      size /= 2;
    }
  }
  closeSync(file);
}
