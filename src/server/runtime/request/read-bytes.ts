import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { ApiRefusal, createBusyRefusal, refuseInput } from './api-error.ts';
import { passBodyGate, type Admission, type BodyGateDeps } from './body-gate.ts';
import type { AppEnv } from './request-context.ts';
import { IncomingMessage } from 'node:http';

/** How long a whole body may take, in milliseconds; the storefront aborts a call after 60 s (contract/limits.ts). */
const bodyTimeMs = 60_000;
/** JSON and forms have at most 64 KiB, which even a slow phone sends within this time. */
const smallBodyTimeMs = 20_000;
const smallBytes = 64 * 1024;
/** How much memory all bodies that are being read may use together, in bytes: 64 MiB. */
const budgetBytes = 64 * 1024 * 1024;
let held = 0;

interface BodyLimits {
  readonly maxBytes: number;
  /** for the whole body, in milliseconds */
  readonly timeMs?: number;
}

/**
 * An endless body would use up memory. So each body has a size limit, a time limit, and a share of a common memory
 * budget: beyond the time it is refused with 408, beyond the budget with `serviceBusy`, and its connection is closed.
 * Every route reads its body by this function or `readBody`, within the body gate.
 */
export async function readBytes(
  c: Context<AppEnv>,
  admission: Admission,
  { maxBytes, timeMs = maxBytes > smallBytes ? bodyTimeMs : smallBodyTimeMs }: BodyLimits,
): Promise<Buffer> {
  try {
    const announced = c.req.header('content-length');
    if (announced !== undefined && Number(announced) > maxBytes) refuseInput('body', 413);
    return await readChunks(c, admission, { maxBytes, timeMs });
  } catch (error) {
    if (error instanceof ApiRefusal) closeAfterAnswer(c);
    throw error;
  }
}

/** The body of a caller without a session, which counts for its network. */
async function readBody(c: Context<AppEnv>, deps: BodyGateDeps, limits: BodyLimits): Promise<Buffer> {
  return passBodyGate(c, deps, {}, (admission) => readBytes(c, admission, limits));
}

/** The whole body as text. */
export async function readText(c: Context<AppEnv>, deps: BodyGateDeps, limits: BodyLimits): Promise<string> {
  return (await readBody(c, deps, limits)).toString('utf8');
}

/** The fields of a form in either encoding; undefined where the body is not a form. */
export async function readForm(
  c: Context<AppEnv>,
  deps: BodyGateDeps,
  limits: BodyLimits,
): Promise<FormData | undefined> {
  const body = new Uint8Array(await readBody(c, deps, limits));
  const headers = { 'content-type': c.req.header('content-type') ?? '' };
  return new Response(body, { headers }).formData().catch(() => undefined);
}

async function readChunks(
  c: Context<AppEnv>,
  admission: Admission,
  { maxBytes, timeMs }: Required<BodyLimits>,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onChunk = (chunk: Uint8Array) => {
    size += chunk.byteLength;
    held += chunk.byteLength;
    if (size > maxBytes) refuseInput('body', 413);
    if (held > budgetBytes) {
      admission.refused('body_memory');
      throw createBusyRefusal();
    }
    chunks.push(chunk);
  };
  const late = () => {
    admission.refused('body_time');
    return new ApiRefusal('invalidRequest', { field: 'body' }, 408);
  };
  try {
    await chunksOf(c, { onChunk, timeMs, late });
    return Buffer.concat(chunks);
  } finally {
    held -= size;
  }
}

/** The rest of a refused body is not read: its connection is closed after the response. */
function closeAfterAnswer(c: Context): void {
  // as: `HttpBindings`, which an in-process call does not have
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const { incoming, outgoing } = bindings ?? {};
  outgoing?.once('finish', () => incoming?.destroy());
}

interface Reading {
  /** receives each part of the body; an exception ends the reading */
  readonly onChunk: (chunk: Uint8Array) => void;
  readonly timeMs: number;
  readonly late: () => Error;
}

/** Reads the body of a request until its end or until `timeMs` have passed. */
async function chunksOf(c: Context, { onChunk, timeMs, late }: Reading): Promise<void> {
  // as: `HttpBindings`, which an in-process call does not have
  const { incoming } = (c.env as Partial<HttpBindings> | undefined) ?? {};
  const passed = Promise.withResolvers<never>();
  const timeout = setTimeout(() => passed.reject(late()), timeMs);
  // after the caller disconnected, hono still has what Node had buffered
  const isDirect = incoming instanceof IncomingMessage && !incoming.destroyed && !incoming.readableDidRead;
  const reading = isDirect ? fromNode(incoming, onChunk, passed.promise) : fromStream(c, onChunk, passed.promise);
  try {
    await reading;
  } finally {
    clearTimeout(timeout);
  }
}

/** Node's own stream takes half the time of the web stream around it. */
function fromNode(incoming: IncomingMessage, onChunk: Reading['onChunk'], passed: Promise<never>): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    const stop = () => {
      incoming.pause();
      incoming.off('data', onData);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Uint8Array) => {
      try {
        size += chunk.byteLength;
        onChunk(chunk);
      } catch (error) {
        fail(error);
      }
    };
    // the whole announced length has arrived, although the connection closed before Node emitted `end`
    const onError = (error: Error) =>
      incoming.complete && String(size) === incoming.headers['content-length'] ? resolve() : fail(error);
    incoming.once('end', resolve);
    incoming.once('error', onError);
    incoming.once('close', () => fail(incoming.errored ?? new Error('aborted')));
    passed.catch(fail);
    incoming.on('data', onData);
  });
}

async function fromStream(c: Context, onChunk: Reading['onChunk'], passed: Promise<never>): Promise<void> {
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body;
  if (!stream) return;
  const reader = stream.getReader();
  for (;;) {
    const step = await Promise.race([reader.read(), passed]);
    if (step.done) return;
    onChunk(step.value);
  }
}
