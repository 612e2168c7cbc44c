import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from './jobs.ts';
import { openShop, type Death, type Process, type ProcessOptions } from './world.ts';

/** What the process of a worker is asked. */
export type Asked =
  | { readonly does: 'run'; readonly job: Job; readonly now: number; readonly fault: Death | undefined }
  | { readonly does: 'answer'; readonly id: number; readonly answer: unknown };

/** What it tells. */
export type Told =
  | { readonly does: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly does: 'complain'; readonly words: string }
  | { readonly does: 'end'; readonly end: unknown };

interface WorkerProcess extends Process {
  close(): void;
}

/** Jobs take so long on a day with much to do, in milliseconds: a process is killed somewhere in it. */
const busyMs = 150;

/**
 * A process of the system that runs the jobs, so that all cores are used; its customers are served here. `killed` kills it
 * in the middle of whatever it does.
 */
export async function openWorkerProcess(url: string, options: ProcessOptions): Promise<WorkerProcess> {
  let worker = await start(url, options);
  return {
    app: await openShop(options),
    run: async (job, fault) => {
      const isKilled = fault === 'killed';
      const ended = worker.nextEnd();
      tell(worker.child, { does: 'run', job, now: options.clock.now, fault: isKilled ? undefined : fault });
      if (!isKilled) return ended;
      await Promise.race([pause(Math.random() * busyMs), ended]);
      worker.child.kill('SIGKILL');
      await worker.exited;
      worker = await start(url, options);
      return 'died';
    },
    close: () => worker.child.disconnect(),
  };
}

async function start(url: string, options: ProcessOptions) {
  const child = fork(new URL('worker.ts', import.meta.url), [url]);
  let ended: (end: unknown) => void = () => {};
  const nextEnd = () => new Promise<unknown>((resolve) => (ended = resolve));
  const opened = nextEnd();
  child.on('message', (message) => {
    const told = message as Told; // as: only the worker sends any
    if (told.does === 'complain') options.complain(told.words);
    else if (told.does === 'call') void answer(child, options, told);
    else ended(told.end);
  });
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code) => {
      if (code) options.complain(`a worker ended with ${code}`);
      ended('died');
      resolve();
    });
  });
  await opened;
  return { child, nextEnd, exited };
}

/** Whoever was killed hears no answer. */
function tell(child: ChildProcess, asked: Asked): void {
  if (child.connected) child.send(asked, () => {});
}

async function answer(
  child: ChildProcess,
  { gateway }: ProcessOptions,
  { id, method, args }: Told & { does: 'call' },
): Promise<void> {
  // as: the worker's gateway has the methods of this one
  const own = gateway[method as keyof typeof gateway] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
  tell(child, { does: 'answer', id, answer: await own(...args) });
}
