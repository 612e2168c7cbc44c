import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from './jobs.ts';
import { openShop, type Death, type Process, type ProcessOptions } from './world.ts';

/** The messages to a worker process. */
export type Asked =
  | { readonly does: 'run'; readonly job: Job; readonly now: number; readonly fault: Death | undefined }
  | { readonly does: 'answer'; readonly id: number; readonly answer: unknown };

/** The messages from a worker process. */
export type Told =
  | { readonly does: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly does: 'complain'; readonly words: string }
  | { readonly does: 'end'; readonly end: unknown };

interface WorkerProcess extends Process {
  close(): void;
}

/** The duration of the jobs on a busy day in milliseconds: a process is killed at a random time within it. */
const busyMs = 150;

/**
 * An operating system process that runs the jobs, so that all cores are used; its customers are served in this process.
 * `killed` kills it at a random time.
 */
export async function openWorkerProcess(url: string, options: ProcessOptions): Promise<WorkerProcess> {
  let worker = await start(url, options);
  return {
    app: await openShop(options),
    run: async (job, fault) => {
      const isKilled = fault === 'killed';
      const ended = worker.nextEnd();
      sendTo(worker.child, { does: 'run', job, now: options.clock.now, fault: isKilled ? undefined : fault });
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
    const received = message as Told; // as: only the worker sends messages
    if (received.does === 'complain') options.complain(received.words);
    else if (received.does === 'call') void answer(child, options, received);
    else ended(received.end);
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

/** Sends a message, unless the worker was killed. */
function sendTo(child: ChildProcess, message: Asked): void {
  if (child.connected) child.send(message, () => {});
}

async function answer(
  child: ChildProcess,
  { gateway }: ProcessOptions,
  { id, method, args }: Told & { does: 'call' },
): Promise<void> {
  // as: the worker's gateway has the methods of this one
  const own = gateway[method as keyof typeof gateway] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
  sendTo(child, { does: 'answer', id, answer: await own(...args) });
}
