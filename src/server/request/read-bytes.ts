import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { ApiRefusal, busy, refuseInput } from './api-error.ts';

/** How long a whole body may take, in milliseconds; the storefront gives up a call after 60 s (contract/limits.ts). */
export const bodyTimeMs = 60_000;
/** JSON and forms have 64 KiB at most, which even a slow phone sends in this time. */
export const smallBodyTimeMs = 20_000;
const smallBytes = 64 * 1024;
/** What all bodies that are being read may hold in memory together, in bytes: 64 MiB. */
const budgetBytes = 64 * 1024 * 1024;
let held = 0;

/**
 * [Note: Bodies] A body that never ends keeps what has arrived of it in memory. So each has a size, a time, and a share of
 * what all of them may hold; beyond the time it is refused with 408, beyond the share with -24040, and its connection is
 * closed. Every route reads its body by this function or `readText`.
 */
export async function readBytes(c: Context, maxBytes: number, timeMs?: number): Promise<Buffer> {
  const announced = c.req.header('content-length');
  if (announced !== undefined && Number(announced) > maxBytes) refuseInput('body', 413);
  const late = timer(timeMs ?? (maxBytes > smallBytes ? bodyTimeMs : smallBodyTimeMs));
  try {
    // Node's own way is the faster one, and a small body holds no more than it announces
    const isSmall = announced !== undefined && Number(announced) <= smallBytes;
    return isSmall ? await readWhole(c, maxBytes, late.passed) : await readChunks(c, maxBytes, late.passed);
  } catch (error) {
    if (error instanceof ApiRefusal) closeAfterAnswer(c);
    throw error;
  } finally {
    late.stop();
  }
}

async function readWhole(c: Context, maxBytes: number, late: Promise<'late'>): Promise<Buffer> {
  const step = await Promise.race([c.req.arrayBuffer(), late]);
  if (step === 'late') return refuseInput('body', 408);
  return step.byteLength > maxBytes ? refuseInput('body', 413) : Buffer.from(step);
}

async function readChunks(c: Context, maxBytes: number, late: Promise<'late'>): Promise<Buffer> {
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body;
  if (!stream) return Buffer.alloc(0);
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), late]);
      if (step === 'late') return refuseInput('body', 408);
      if (step.done) return Buffer.concat(chunks);
      size += step.value.byteLength;
      held += step.value.byteLength;
      if (size > maxBytes) refuseInput('body', 413);
      if (held > budgetBytes) throw busy();
      chunks.push(step.value);
    }
  } finally {
    held -= size;
  }
}

/** The whole body as text. */
export async function readText(c: Context, maxBytes: number): Promise<string> {
  return (await readBytes(c, maxBytes)).toString('utf8');
}

function timer(ms: number): { readonly passed: Promise<'late'>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const timeout = setTimeout(() => resolve('late'), ms);
  return { passed: promise, stop: () => clearTimeout(timeout) };
}

/** What is still to come of a refused body is not taken in: its connection is closed once the answer has left. */
function closeAfterAnswer(c: Context): void {
  // as: `HttpBindings`, which a call inside of this process has not
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const { incoming, outgoing } = bindings ?? {};
  outgoing?.once('finish', () => incoming?.destroy());
}
